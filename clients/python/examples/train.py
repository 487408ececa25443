"""Trains a tiny policy on episodes of a running suite: python train.py --benchmark ID --seed 1

The policy chooses among templates, ways to put a draft of a program into an answer; the drafts are the
reference code of the cases. It begins with equal chances and learns by REINFORCE from the rewards alone
which templates the benchmark takes. A model takes the place of `Policy` in a real training: it gets
`episode.chat()`, and its update gets the reward.
"""

import argparse
import json
import math
import random
import re

from stateeval import StateEval

TEMPLATES = {
    "fenced": lambda code: f"```javascript\n{code}\n```",
    "explained only": lambda code: "I would call the API once, and then return what it answers.",
    "without a result": lambda code: "```javascript\n" + re.sub(r"\bRESULT\b", "answer", code) + "\n```",
    "cut short": lambda code: f"```javascript\n{code[: len(code) // 2]}\n```",
    "another language": lambda code: "```python\nprint('done')\n```",
    "refused": lambda code: "I would rather not.",
}


class Policy:
    """A softmax over templates, moved along the gradient of the reward above its running mean."""

    def __init__(self, seed: int, rate: float = 0.6) -> None:
        self.preferences = dict.fromkeys(TEMPLATES, 0.0)
        self.random = random.Random(seed)
        self.rate = rate
        self.mean = 0.0
        self.updates = 0

    def chances(self) -> dict[str, float]:
        weights = {name: math.exp(value) for name, value in self.preferences.items()}
        total = sum(weights.values())
        return {name: weight / total for name, weight in weights.items()}

    def choose(self) -> str:
        chances = self.chances()
        return self.random.choices(list(chances), list(chances.values()))[0]

    def update(self, chosen: str, reward: float) -> None:
        advantage = reward - self.mean
        for name, chance in self.chances().items():
            self.preferences[name] += self.rate * advantage * ((name == chosen) - chance)
        self.updates += 1
        self.mean += (reward - self.mean) / self.updates


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--benchmark", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--episodes", type=int, default=120)
    options = parser.parse_args()
    suite = StateEval(progress=False)
    policy = Policy(options.seed)
    rewards: list[float] = []
    for number in range(options.episodes):
        episode = suite.episode(
            benchmark=options.benchmark, seed=f"train/{options.seed}/{number}", language="javascript"
        )
        case = episode.resource["case"]
        answer = suite.api.get_benchmark_reference(options.benchmark, case, language="javascript")["answer"]
        draft = re.sub(r"^```\w*\n|\n?```\s*$", "", answer or "")
        template = policy.choose()
        episode.step(TEMPLATES[template](draft))
        # What was not scored teaches nothing.
        if episode.reward is None:
            continue
        policy.update(template, episode.reward)
        rewards.append(episode.reward)
    tenth = max(1, len(rewards) // 10)
    first, last = sum(rewards[:tenth]) / tenth, sum(rewards[-tenth:]) / tenth
    print(json.dumps({"seed": options.seed, "first": first, "last": last, "chances": policy.chances()}))


if __name__ == "__main__":
    main()
