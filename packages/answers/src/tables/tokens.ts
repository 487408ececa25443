/**
 * Special tokens that servers are known to leave in a text, by family of tokenizers. A new family is a row;
 * no code names a token. `begins` are written before a turn of a conversation, `ends` behind a turn or text.
 */
interface TokenFamily {
  family: string
  ends: readonly string[]
  begins?: readonly string[]
  /** A chat template, the configuration of a tokenizer, or a thread in which the token was left behind. */
  source: string
}

const formatHubAddress = (model: string) => `https://huggingface.co/${model}`
const templates = 'https://github.com/ggml-org/llama.cpp/blob/0192c129/src/llama-chat.cpp'

export const tokenFamilies: readonly TokenFamily[] = [
  {
    family: 'ChatML: Qwen, Yi, InternLM 2, SmolLM, Hermes, Arctic, LFM2',
    ends: ['<|im_end|>'],
    begins: ['<|im_start|>', '<|im_sep|>'],
    source: 'https://github.com/ollama/ollama/issues/2673',
  },
  {
    family: 'GPT-2, Qwen base, Falcon, OLMo, StarCoder, Phi, GLM-4',
    ends: ['<|endoftext|>'],
    source: 'https://github.com/thinking-machines-lab/tinker-cookbook/pull/339',
  },
  {
    family: 'Llama 1 and 2, Mistral, Vicuna, Solar, Zephyr',
    ends: ['</s>'],
    begins: ['<s>', '[INST]', '[/INST]', '<<SYS>>', '[SYSTEM_PROMPT]', '[AVAILABLE_TOOLS]'],
    source: 'https://github.com/0cc4m/KoboldAI/pull/62',
  },
  {
    family: 'Llama 3',
    ends: ['<|eot_id|>', '<|eom_id|>', '<|end_of_text|>'],
    begins: ['<|begin_of_text|>', '<|start_header_id|>', '<|end_header_id|>'],
    source: `${templates} (LLAMA_3)`,
  },
  {
    family: 'Llama 4',
    ends: ['<|eot|>', '<|eom|>'],
    begins: ['<|header_start|>', '<|header_end|>'],
    source: `${templates} (LLAMA4)`,
  },
  { family: 'Code Llama', ends: ['<EOT>', '▁<EOT>', '_<EOT>'], source: 'https://github.com/ggml-org/llama.cpp/blob/971f245/src/llama-vocab.cpp#L1807-L1814' }, // oxfmt-ignore
  {
    family: 'Gemma 1 to 3',
    ends: ['<end_of_turn>', '<eos>'],
    begins: ['<start_of_turn>', '<bos>'],
    source: 'https://github.com/ml-explore/mlx-swift-examples/issues/89',
  },
  {
    family: 'Gemma 4',
    ends: ['<turn|>'],
    begins: ['<|turn>'],
    source: 'https://github.com/vllm-project/vllm/blob/045d7575/vllm/reasoning/gemma4_utils.py',
  },
  {
    family: 'DeepSeek V2, V3, R1',
    ends: ['<｜end▁of▁sentence｜>', '<|end▁of▁sentence|>', '<|end_of_sentence|>'],
    begins: ['<｜begin▁of▁sentence｜>', '<｜User｜>', '<｜Assistant｜>', '<|User|>', '<|Assistant|>'],
    source: `${templates} (DEEPSEEK_3)`,
  },
  { family: 'DeepSeek Coder', ends: ['<|EOT|>'], source: `${templates} (DEEPSEEK)` },
  {
    family: 'Phi-3, Phi-4-mini',
    ends: ['<|end|>'],
    begins: ['<|user|>', '<|assistant|>', '<|system|>'],
    source: 'https://github.com/airockchip/rknn-llm/issues/36',
  },
  {
    family: 'gpt-oss',
    ends: ['<|return|>', '<|call|>'],
    begins: ['<|start|>', '<|channel|>', '<|message|>', '<|constrain|>'],
    source: 'https://github.com/asher/gmlx/pull/110',
  },
  {
    family: 'GLM-4',
    ends: ['<|observation|>'],
    begins: ['[gMASK]', '<sop>'],
    source: `${templates} (CHATGLM_4)`,
  },
  { family: 'InternLM 1', ends: ['<eoa>', '<eoh>'], source: formatHubAddress('internlm/internlm-chat-7b') },
  {
    family: 'Command R, Command A',
    ends: ['<|END_OF_TURN_TOKEN|>', '<|END_RESPONSE|>', '<EOS_TOKEN>'],
    begins: ['<|START_OF_TURN_TOKEN|>', '<|CHATBOT_TOKEN|>', '<|USER_TOKEN|>', '<|START_RESPONSE|>', '<BOS_TOKEN>'], // oxfmt-ignore
    source: `${templates} (COMMAND_R)`,
  },
  { family: 'OpenChat', ends: ['<|end_of_turn|>'], source: `${templates} (OPENCHAT)` },
  {
    family: 'Granite',
    ends: [],
    begins: ['<|start_of_role|>', '<|end_of_role|>'],
    source: `${templates} (GRANITE)`,
  },
  {
    family: 'EXAONE',
    ends: ['[|endofturn|]'],
    begins: ['[|assistant|]', '[|user|]', '[|system|]'],
    source: `${templates} (EXAONE_4)`,
  },
  {
    family: 'GigaChat',
    ends: ['<|message_sep|>'],
    begins: ['<|role_sep|>'],
    source: `${templates} (GIGACHAT)`,
  },
  {
    family: 'Megrez',
    ends: ['<|turn_end|>'],
    begins: ['<|role_start|>', '<|role_end|>'],
    source: `${templates} (MEGREZ)`,
  },
  {
    family: 'Ling',
    ends: ['<|role_end|>'],
    begins: ['<role>ASSISTANT</role>', '<role>HUMAN</role>'],
    source: `${templates} (BAILING)`,
  },
  {
    family: 'Qwen Coder, StarCoder 2: repositories and code to fill in',
    ends: ['<|file_sep|>', '<file_sep>'],
    begins: ['<|repo_name|>', '<|fim_prefix|>', '<|fim_middle|>', '<|fim_suffix|>'],
    source: formatHubAddress('Qwen/Qwen2.5-Coder-7B'),
  },
  {
    family: 'Jamba',
    ends: [],
    begins: ['<|bom|>'],
    source: formatHubAddress('ai21labs/AI21-Jamba-Mini-1.5'),
  },
  { family: 'SmolVLM', ends: ['<end_of_utterance>'], source: `${templates} (SMOLVLM)` },
  {
    family: 'dots.llm1',
    ends: ['<|endofresponse|>'],
    begins: ['<|response|>', '<|userprompt|>'],
    source: `${templates} (DOTS1)`,
  },
  {
    family: 'Hunyuan',
    ends: ['<|eos|>', '<|extra_0|>', '<｜hy_place▁holder▁no▁2｜>', '<｜hy_place▁holder▁no▁8｜>'],
    begins: ['<|startoftext|>', '<｜hy_begin▁of▁sentence｜>', '<｜hy_Assistant｜>', '<｜hy_User｜>'],
    source: `${templates} (HUNYUAN_MOE, HUNYUAN_DENSE)`,
  },
  {
    family: 'Kimi K2, its turns',
    ends: [],
    begins: ['<|im_assistant|>', '<|im_user|>', '<|im_system|>', '<|im_middle|>'],
    source: `${templates} (KIMI_K2)`,
  },
  { family: 'Kimi K2', ends: ['[EOS]', '[EOT]'], source: formatHubAddress('moonshotai/Kimi-K2-Instruct') },
  {
    family: 'MiniMax M1, M2',
    ends: ['[e~['],
    begins: [']~b]', ']~!b['],
    source: 'https://github.com/ggml-org/llama.cpp/blob/a21f05af/models/templates/unsloth-MiniMax-M2.jinja',
  },
  {
    family: 'Seed-OSS',
    ends: ['<seed:eos>'],
    begins: ['<seed:bos>'],
    source: 'https://github.com/ggml-org/llama.cpp/blob/b1933d30/models/templates/ByteDance-Seed-OSS.jinja',
  },
  {
    family: 'HyperCLOVA X',
    ends: ['<|endofturn|>', '<|stop|>'],
    source:
      'https://github.com/vllm-project/vllm/blob/0676dfcb/vllm/reasoning/hyperclovax_seed_think_14b_reasoning_parser.py',
  },
  {
    family: 'PLaMo 3',
    ends: ['<|plamo:tag|>'],
    source: 'https://github.com/vllm-project/vllm/blob/3febd520/vllm/reasoning/plamo3_reasoning_parser.py',
  },
  { family: 'Apertus', ends: ['<|assistant_end|>'], begins: ['<|assistant_start|>', '<|user_start|>'], source: formatHubAddress('swiss-ai/Apertus-8B-Instruct-2509') }, // oxfmt-ignore
  { family: 'LongCat', ends: ['</longcat_s>'], begins: ['<longcat_s>'], source: formatHubAddress('meituan-longcat/LongCat-Flash-Chat') }, // oxfmt-ignore
  { family: 'Nemotron Nano 2', ends: ['<SPECIAL_12>'], begins: ['<SPECIAL_10>', '<SPECIAL_11>'], source: 'https://github.com/ggml-org/llama.cpp/blob/f01caef7/models/templates/NVIDIA-Nemotron-Nano-v2.jinja' }, // oxfmt-ignore
  { family: 'Nemotron 4', ends: ['<extra_id_1>', '<extra_id_0>'], source: formatHubAddress('nvidia/Nemotron-4-340B-Instruct') }, // oxfmt-ignore
  { family: 'openPangu', ends: ['[unused10]'], begins: ['[unused9]'], source: formatHubAddress('FreedomIntelligence/openPangu-Embedded-7B') }, // oxfmt-ignore
  { family: 'Grok 2', ends: ['<|separator|>'], source: formatHubAddress('xai-org/grok-2') },
  { family: 'Yuan 2', ends: ['<eod>'], source: formatHubAddress('IEITYuan/Yuan2-M32-hf') },
  { family: 'Baichuan 2', ends: [], begins: ['<reserved_107>', '<reserved_106>'], source: formatHubAddress('baichuan-inc/Baichuan2-7B-Chat') }, // oxfmt-ignore
  { family: 'padding of batches', ends: ['<pad>', '<|pad|>', '<unk>', '[PAD]', '<|fim_pad|>'], source: formatHubAddress('docs/transformers/pad_truncation') }, // oxfmt-ignore
]
