/** What each statistic says and doesn't say, in two sentences, to be shown beside it. */
export const explanations = {
  rate: 'The share of scored samples that passed. What was not scored because of our infrastructure counts in no denominator.',
  wilson:
    'The Wilson interval: rates that are compatible with what was seen, 95 times out of 100. It takes every sample as independent, which holds with one sample for each case.',
  clustered:
    'The bootstrap interval draws whole cases anew, again and again, because the samples of one case pass or fail together. Few cases widen it as Student’s t does, and fewer than five count as one sample each.',
  passAtK:
    'pass@k is the chance that at least one of k answers passes, estimated without bias from all samples of a case. It says what a user gets who can check answers and try again.',
  passAllK:
    'pass^k is the chance that all of k answers pass, estimated without bias from all samples of a case. It says how far a user can rely on a model without checking.',
  difference:
    'The mean over shared cases of how much more often one model passes than the other, with a bootstrap interval that draws cases. An interval that holds 0 means that the order of the two is open.',
  mcNemar:
    'McNemar’s exact test looks only at the cases that one model passes and the other fails, and asks how likely so uneven a split is if both were equally good. It uses that both answered the same cases, which makes it see more than comparing two rates.',
  signFlip:
    'The sign-flip test asks how often a difference this large comes up when each case’s difference is counted for either model by a coin. A case counts once, however many samples it has; with one sample it is McNemar’s exact test.',
  holm: 'Who compares many pairs finds some difference by chance; Holm’s correction raises each p so that the chance of even one false alarm over all pairs stays below 5 %. Read the corrected p.',
  leastDifference:
    'The least true difference that this set would have shown with a probability of 80 % (Connor 1987), given how often the two models disagree and after correction for all pairs. A smaller difference may be there and unseen: “not significant” is no proof of equality.',
  noise:
    'The noise floor: two evaluations of the same model with as many samples differ by less than this 95 times out of 100. A smaller difference between two models says nothing.',
} as const
