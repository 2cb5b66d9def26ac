//! The proxy with clients and services, as one test program.

mod bounds;
mod fixture;
mod hostile;
mod proxy;
