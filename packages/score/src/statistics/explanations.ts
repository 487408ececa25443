/** The meaning of each statistic, and what it does not mean, in two sentences, shown next to it. */
export const explanations = {
  rate: 'The share of scored samples that passed. Samples without a score because of infrastructure errors are excluded from the denominator.',
  bracket:
    'The bracket counts every sample without a score as failed at its lower end, and as passed at its upper end. The rate of a complete evaluation is somewhere in between, inside or outside the interval.',
  wilson:
    'The Wilson interval contains the true rate in 95 of 100 evaluations. It assumes independent samples, which is correct with one sample per case.',
  clustered:
    'The bootstrap interval resamples whole cases, because the samples of one case tend to pass or fail together. Few cases widen it like Student’s t, and with fewer than five each counts as one sample.',
  passAtK:
    'pass@k is the chance that at least one of k answers passes, estimated without bias from all samples of a case. It describes a user who can check answers and try again.',
  passAllK:
    'pass^k is the chance that all of k answers pass, estimated without bias from all samples of a case. It describes a user who relies on a model without checking.',
  difference:
    'The mean difference of the pass rates over shared cases, with a bootstrap interval that resamples cases and is wider for few of them. If the interval contains 0, the order of the two models is undecided.',
  mcNemar:
    'McNemar’s exact test uses only the cases that one model passes and the other fails, and computes how likely such an uneven split is if both are equally good. Because both answered the same cases, it is more powerful than a comparison of two rates.',
  signFlip:
    'The sign-flip test computes how often a difference this large occurs if the sign of each case’s difference is random. Each case counts once, regardless of its number of samples; with one sample it equals McNemar’s exact test.',
  holm: 'Comparing many pairs finds some difference by chance, so Holm’s correction raises each p to keep the chance of any false alarm over all pairs below 5 %. Use the corrected p.',
  leastDifference:
    'The smallest true difference that this set detects with a probability of 80 % (Connor 1987), given the disagreement of the two models and after correction for all pairs. A smaller difference may exist undetected: “not significant” does not prove equality.',
  noise:
    'The noise floor: two evaluations of the same model with as many samples differ by less than this 95 times out of 100. A smaller difference between two models says nothing.',
} as const
