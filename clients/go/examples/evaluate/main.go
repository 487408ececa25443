// Builds a small benchmark, evaluates the built-in model reference, and prints its pass rate.
//
//	STATEEVAL_URL=http://127.0.0.1:7400 go run ./examples/evaluate
package main

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"os"

	"stateeval.dev/client"
	"stateeval.dev/client/evaluation"
)

func main() {
	ctx := context.Background()
	url := cmp.Or(os.Getenv("STATEEVAL_URL"), "http://127.0.0.1:7400")
	suite, err := stateeval.New(url, os.Getenv("STATEEVAL_API_KEY"))
	check(err)

	programs, keep := 6, 3
	benchmark, err := suite.Build(ctx, evaluation.BuildRequest{
		Scenario: "session-service", Programs: &programs, Keep: &keep,
	})
	check(err)
	_, err = suite.WaitForBenchmark(ctx, benchmark.Id, show)
	check(err)

	model := "reference"
	run, err := suite.Evaluate(ctx, evaluation.EvaluationRequest{Benchmark: benchmark.Id, Model: &model})
	check(err)
	_, err = suite.WaitForEvaluation(ctx, run.Id, show)
	check(err)

	report, err := suite.Report(ctx, run.Id)
	check(err)
	overall := report.Result.Overall
	fmt.Printf("%s: %d of %d passed\n", report.Result.Model, overall.Passed, overall.Scored)
}

func show(progress stateeval.Progress) {
	log.Printf("%d/%d %s", progress.Done, progress.Total, progress.Phase)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
