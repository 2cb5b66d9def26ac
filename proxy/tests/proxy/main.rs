//! The proxy among clients and services: one program of tests.

mod bounds;
mod desk;
mod hostile;
mod proxy;
