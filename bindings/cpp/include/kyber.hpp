// Round-3 Kyber: public-key encryption and key encapsulation.
#ifndef KYBER_HPP
#define KYBER_HPP

#include <kyber_kem.hpp>
#include <kyber_pke.hpp>

#endif
