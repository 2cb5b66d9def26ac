module conformance

go 1.26
