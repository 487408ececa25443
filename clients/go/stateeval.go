// Package stateeval builds benchmarks, evaluates models and reads reports with a running StateEval suite.
//
// Package evaluation beneath it has every operation of the suite's public service, generated from its contract.
package stateeval

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"stateeval.dev/client/evaluation"
)

// Suite is a running suite. API has every operation, typed.
type Suite struct {
	API *evaluation.ClientWithResponses
}

// New connects to the evaluation service at url, such as http://127.0.0.1:7400. The key is an API key or a
// token; it is empty where the service asks for none.
func New(url, key string, options ...evaluation.ClientOption) (*Suite, error) {
	if key != "" {
		options = append(options, evaluation.WithRequestEditorFn(
			func(_ context.Context, request *http.Request) error {
				request.Header.Set("Authorization", "Bearer "+key)
				return nil
			}))
	}
	api, err := evaluation.NewClientWithResponses(url, options...)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", url, err)
	}
	return &Suite{API: api}, nil
}

// Build begins to build a benchmark; WaitForBenchmark waits until it is complete.
func (s *Suite) Build(
	ctx context.Context, request evaluation.BuildRequest,
) (*evaluation.BenchmarkResource, error) {
	body := evaluation.CreateBenchmarkJSONRequestBody{Build: request}
	answer, err := s.API.CreateBenchmarkWithResponse(ctx, nil, body)
	if err != nil {
		return nil, err
	}
	return answerOr(answer.JSON202, answer.ApplicationproblemJSONDefault, answer.HTTPResponse)
}

// Evaluate begins an evaluation; WaitForEvaluation waits until it has ended.
func (s *Suite) Evaluate(
	ctx context.Context, request evaluation.EvaluationRequest,
) (*evaluation.EvaluationResource, error) {
	answer, err := s.API.CreateEvaluationWithResponse(ctx, nil, request)
	if err != nil {
		return nil, err
	}
	return answerOr(answer.JSON202, answer.ApplicationproblemJSONDefault, answer.HTTPResponse)
}

// Report is the report of an evaluation; of one that runs, of the samples that have ended.
func (s *Suite) Report(ctx context.Context, id string) (*evaluation.Report, error) {
	answer, err := s.API.GetEvaluationReportWithResponse(ctx, id, nil)
	if err != nil {
		return nil, err
	}
	return answerOr(answer.JSON200, answer.ApplicationproblemJSONDefault, answer.HTTPResponse)
}

// Progress says how far a build or an evaluation has come.
type Progress struct {
	Done  int
	Phase string
	Total int
}

// WaitForBenchmark waits until the benchmark is built. progress may be nil; it is called at every look.
// The error is a *JobError where the build failed or was cancelled.
func (s *Suite) WaitForBenchmark(
	ctx context.Context, id string, progress func(Progress),
) (*evaluation.BenchmarkResource, error) {
	return waitFor(ctx, progress, func() (*evaluation.BenchmarkResource, state, error) {
		answer, err := s.API.GetBenchmarkWithResponse(ctx, id)
		if err != nil {
			return nil, state{}, err
		}
		job, err := answerOr(answer.JSON200, answer.ApplicationproblemJSONDefault, answer.HTTPResponse)
		if err != nil {
			return nil, state{}, err
		}
		return job, state{job.Id, string(job.Status), job.Error, Progress(job.Progress)}, nil
	})
}

// WaitForEvaluation waits until the evaluation has ended. progress may be nil; it is called at every look.
// The error is a *JobError where the evaluation failed or was cancelled.
func (s *Suite) WaitForEvaluation(
	ctx context.Context, id string, progress func(Progress),
) (*evaluation.EvaluationResource, error) {
	return waitFor(ctx, progress, func() (*evaluation.EvaluationResource, state, error) {
		answer, err := s.API.GetEvaluationWithResponse(ctx, id)
		if err != nil {
			return nil, state{}, err
		}
		job, err := answerOr(answer.JSON200, answer.ApplicationproblemJSONDefault, answer.HTTPResponse)
		if err != nil {
			return nil, state{}, err
		}
		return job, state{job.Id, string(job.Status), job.Error, Progress(job.Progress)}, nil
	})
}

// JobError says that a build or an evaluation failed or was cancelled.
type JobError struct {
	ID, Status, Reason string
}

func (e *JobError) Error() string {
	if e.Reason == "" {
		return e.ID + " " + e.Status
	}
	return e.ID + " " + e.Status + ": " + e.Reason
}

// ServiceError is a problem (RFC 9457) that the service answered with.
type ServiceError struct {
	Problem evaluation.Problem
}

func (e *ServiceError) Error() string {
	if e.Problem.Field != nil {
		return e.Problem.Detail + " (" + *e.Problem.Field + ")"
	}
	return e.Problem.Detail
}

type state struct {
	id, status string
	reason     *string
	progress   Progress
}

// Soon at first, then up to once a second. What the service refuses ends the wait; a service that is away for
// less than a minute does not, because a job survives its restart.
func waitFor[Job any](
	ctx context.Context, progress func(Progress), look func() (*Job, state, error),
) (*Job, error) {
	lastAnswer := time.Now()
	for pause := 100 * time.Millisecond; ; pause = min(time.Second, pause*13/10) {
		job, now, err := look()
		var refused *ServiceError
		isRefused := errors.As(err, &refused) && !isAway(refused.Problem.Status)
		if isRefused || err != nil && time.Since(lastAnswer) > time.Minute {
			return nil, err
		}
		if err == nil {
			lastAnswer = time.Now()
			if progress != nil {
				progress(now.progress)
			}
			switch now.status {
			case "succeeded":
				return job, nil
			case "failed", "cancelled":
				failure := &JobError{ID: now.id, Status: now.status}
				if now.reason != nil {
					failure.Reason = *now.reason
				}
				return nil, failure
			}
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// What a service answers that stops, starts or is overloaded, or a proxy in its place.
func isAway(status int) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

func answerOr[T any](value *T, problem *evaluation.Problem, response *http.Response) (*T, error) {
	if value != nil {
		return value, nil
	}
	// A proxy in the service's place may answer with JSON of its own, which has no status.
	if problem != nil && problem.Status != 0 {
		return nil, &ServiceError{Problem: *problem}
	}
	return nil, fmt.Errorf("unexpected answer: HTTP %s", response.Status)
}
