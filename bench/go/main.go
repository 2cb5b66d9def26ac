// Prints medians of Go's crypto/mlkem as JSON, which grille-bench compares with grille's.
package main

import (
	"crypto/mlkem"
	"encoding/json"
	"os"
	"runtime"
	"sort"
	"time"
)

const (
	batch  = time.Millisecond
	rounds = 101
)

type result struct {
	Algorithm string  `json:"algorithm"`
	Operation string  `json:"operation"`
	Time      float64 `json:"time"`   // median in nanoseconds
	Spread    float64 `json:"spread"` // half the distance between the quartiles
}

func main() {
	runtime.LockOSThread()
	results := append(mlkem768(), mlkem1024()...)
	report := map[string]any{"version": runtime.Version(), "results": results}
	if err := json.NewEncoder(os.Stdout).Encode(report); err != nil {
		panic(err)
	}
}

func mlkem768() []result {
	key, err := mlkem.GenerateKey768()
	must(err)
	public, seed := key.EncapsulationKey().Bytes(), key.Bytes()
	_, sent := key.EncapsulationKey().Encapsulate()
	return []result{
		measure("ML-KEM-768", "keygen", func() { _, err := mlkem.GenerateKey768(); must(err) }),
		measure("ML-KEM-768", "encaps", func() {
			key, err := mlkem.NewEncapsulationKey768(public)
			must(err)
			key.Encapsulate()
		}),
		measure("ML-KEM-768", "decaps", func() { _, err := key.Decapsulate(sent); must(err) }),
		measure("ML-KEM-768", "decaps (encoded)", func() {
			key, err := mlkem.NewDecapsulationKey768(seed)
			must(err)
			_, err = key.Decapsulate(sent)
			must(err)
		}),
	}
}

func mlkem1024() []result {
	key, err := mlkem.GenerateKey1024()
	must(err)
	public, seed := key.EncapsulationKey().Bytes(), key.Bytes()
	_, sent := key.EncapsulationKey().Encapsulate()
	return []result{
		measure("ML-KEM-1024", "keygen", func() { _, err := mlkem.GenerateKey1024(); must(err) }),
		measure("ML-KEM-1024", "encaps", func() {
			key, err := mlkem.NewEncapsulationKey1024(public)
			must(err)
			key.Encapsulate()
		}),
		measure("ML-KEM-1024", "decaps", func() { _, err := key.Decapsulate(sent); must(err) }),
		measure("ML-KEM-1024", "decaps (encoded)", func() {
			key, err := mlkem.NewDecapsulationKey1024(seed)
			must(err)
			_, err = key.Decapsulate(sent)
			must(err)
		}),
	}
}

// measure runs the operation in batches of about a millisecond.
func measure(algorithm, operation string, run func()) result {
	size := 1
	for timeBatch(size, run)*float64(size) < float64(batch) {
		size *= 2
	}
	times := make([]float64, rounds)
	for i := range times {
		times[i] = timeBatch(size, run)
	}
	sort.Float64s(times)
	spread := (times[3*(rounds-1)/4] - times[(rounds-1)/4]) / 2
	return result{algorithm, operation, times[rounds/2], spread}
}

// timeBatch returns the mean of the runs of a batch, in nanoseconds.
func timeBatch(size int, run func()) float64 {
	start := time.Now()
	for range size {
		run()
	}
	return float64(time.Since(start)) / float64(size)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
