/** Marks around what a model thinks before it answers. A new spelling is a row; no code names one. */
interface ThoughtSpelling {
  models: string
  /** `…` stands for what a tag has besides, such as attributes. */
  open: readonly string[]
  close: readonly string[]
  source: string
}

const defineTags = (...names: readonly string[]) => ({
  open: names.map((name) => `<${name}>`),
  close: names.map((name) => `</${name}>`),
})

export const thoughtSpellings: readonly ThoughtSpelling[] = [
  {
    models: 'DeepSeek R1, Qwen 3, GLM 4.5, MiniMax M2, Nemotron, OLMo 3, Phi-4-reasoning',
    ...defineTags('think'),
    source: 'https://github.com/ggml-org/llama.cpp/issues/11861',
  },
  {
    models: 'models that are asked to think, such as Claude, Reflection and Hermes 3',
    ...defineTags('thinking', 'reflection', 'scratchpad', 'antThinking', 'inner_monologue'),
    source: 'https://huggingface.co/mattshumer/Reflection-Llama-3.1-70B',
  },
  {
    models: 'EXAONE Deep, Marco-o1',
    ...defineTags('thought', 'thoughts'),
    source: 'https://huggingface.co/LGAI-EXAONE/EXAONE-Deep-7.8B',
  },
  {
    models: 'models trained on GRPO templates',
    ...defineTags('reasoning', 'analysis'),
    source: 'https://huggingface.co/docs/trl/grpo_trainer',
  },
  {
    models: 'chats that wrap tags in bars',
    open: ['<|think|>', '<|thinking|>', '<|thought|>', '<|reasoning|>'],
    close: ['<|/think|>', '<|/thinking|>', '<|/thought|>', '<|/reasoning|>'],
    source: 'https://huggingface.co/upstage/Solar-Open-100B',
  },
  {
    models: 'Solar Open 2',
    open: ['<|think:start|>'],
    close: ['<|think:end|>'],
    source:
      'https://github.com/vllm-project/vllm/blob/c6cdf911/vllm/reasoning/solar_open2_reasoning_parser.py',
  },
  {
    models: 'Seed-OSS',
    ...defineTags('seed:think', 'seed:cot_budget_reflect'),
    source: 'https://github.com/vllm-project/vllm/blob/eb530a8e/vllm/reasoning/seedoss_reasoning_parser.py',
  },
  {
    models: 'Kimi 1.5, Kimi-VL',
    open: ['◁think▷'],
    close: ['◁/think▷'],
    source: 'https://github.com/sgl-project/takeways/blob/main/sglang-cookbook/api/reasoning-parser.md',
  },
  {
    models: 'Magistral, Ministral 3',
    open: ['[THINK]'],
    close: ['[/THINK]'],
    source: 'https://github.com/vllm-project/vllm/blob/3ff2de9c/vllm/reasoning/mistral_reasoning_parser.py',
  },
  {
    models: 'Sky-T1, OpenThinker',
    open: ['<|begin_of_thought|>'],
    close: ['<|end_of_thought|>'],
    source: 'https://huggingface.co/open-thoughts/OpenThinker-7B',
  },
  {
    models: 'Command A Reasoning',
    open: ['<|START_THINKING|>'],
    close: ['<|END_THINKING|>'],
    source:
      'https://github.com/vllm-project/vllm/blob/b228b842/vllm/reasoning/cohere_command_reasoning_parser.py',
  },
  {
    models: 'Apertus',
    open: ['<|inner_prefix|>'],
    close: ['<|inner_suffix|>'],
    source: 'https://github.com/vllm-project/vllm/blob/23232cfa/vllm/reasoning/apertus_reasoning_parser.py',
  },
  {
    models: 'LongCat',
    ...defineTags('longcat_think'),
    source: 'https://github.com/vllm-project/vllm/blob/86c6857c/vllm/reasoning/longcat_reasoning_parser.py',
  },
  {
    models: 'openPangu',
    open: ['[unused16]'],
    close: ['[unused17]'],
    source: 'https://github.com/vllm-project/vllm/blob/4ade7b8d/vllm/reasoning/pangu_reasoning_parser.py',
  },
  {
    models: 'PLaMo 3',
    open: ['<|plamo:begin_think:plamo|>'],
    close: ['<|plamo:end_think:plamo|>'],
    source: 'https://github.com/vllm-project/vllm/blob/3febd520/vllm/reasoning/plamo3_reasoning_parser.py',
  },
  {
    models: 'Gemma 4',
    open: ['<|channel>thought', '<|channel>'],
    close: ['<channel|>'],
    source: 'https://github.com/vllm-project/vllm/blob/045d7575/vllm/reasoning/gemma4_utils.py',
  },
  {
    models: 'any, behind Open WebUI',
    // Its attributes differ from version to version.
    open: ['<details type="reasoning"…>'],
    close: ['</details>'],
    source: 'https://docs.openwebui.com/features/chat-features/reasoning-models',
  },
]

/** Thoughts without marks: words at the beginning of the text, and words behind the thought. */
export const leadingThoughts: readonly {
  models: string
  begins: RegExp
  ends: readonly string[]
  /** True if the beginning alone shows that it is a thought, so that one without an end is no answer. */
  isCertain: boolean
  source: string
}[] = [
  {
    models: 'gpt-oss, where the server dropped special tokens but not their words',
    begins: /^(?:assistant)?analysis(?=[A-Z])/,
    ends: ['assistantfinal'],
    isCertain: true,
    source: 'https://github.com/oobabooga/textgen/issues/7374',
  },
  {
    models: 'Granite 3.2',
    begins: /^Here(?:'s| is) my thought process:/,
    ends: ["Here's my response:", 'Here is my response:'],
    isCertain: false,
    source: 'https://github.com/vllm-project/vllm/blob/cecb692e/vllm/reasoning/granite_reasoning_parser.py',
  },
  {
    models: 'HyperCLOVA X',
    begins: /^\/think\n/,
    ends: ['<|im_end|>\n<|im_start|>assistant\n'],
    isCertain: true,
    source:
      'https://github.com/vllm-project/vllm/blob/0676dfcb/vllm/reasoning/hyperclovax_seed_think_14b_reasoning_parser.py',
  },
]
