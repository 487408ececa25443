"""Twenty episodes at once under asyncio, and one whose lease expires: argv has the benchmark and an answer."""

import asyncio
import json
import sys

from stateeval import AsyncEpisode, StateEval

benchmark, case, answer = sys.argv[1:]
suite = StateEval(progress=False)
# As an OpenAI-compatible endpoint answers.
completion = {
    "choices": [{"message": {"role": "assistant", "content": answer}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 10, "completion_tokens": 5},
}


async def play(number: int) -> float | None:
    episode = await AsyncEpisode.open(suite, benchmark=benchmark, case=case, timeLimit=120)
    if number % 2:
        await episode.reply(completion, ms=1.5)
    else:
        await episode.step("I do not know.")
    return episode.reward


async def late() -> tuple[str, float | None]:
    episode = await AsyncEpisode.open(
        suite, benchmark=benchmark, case=case, timeLimit=120, leaseSeconds=10
    )
    await asyncio.sleep(11)
    status = (await AsyncEpisode.resume(suite, episode.id)).episode.resource["status"]
    await episode.reply(completion)
    return status, episode.reward


async def main() -> None:
    *rewards, (status, reward) = await asyncio.gather(*map(play, range(20)), late())
    print(json.dumps({"rewards": rewards, "status": status, "late": reward}))


asyncio.run(main())
