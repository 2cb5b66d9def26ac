//! The proxy among clients and services: one program of tests.

mod desk;
mod hostile;
mod proxy;
