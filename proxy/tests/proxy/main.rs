//! The proxy with clients and services, as one test program.

mod bounds;
mod desk;
mod hostile;
mod proxy;
