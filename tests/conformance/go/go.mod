module conformance

go 1.25
