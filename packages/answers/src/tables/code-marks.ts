/** Marks that models write around code instead of a fence. A new pair is a row. */
interface CodeMarks {
  open: string
  /** Absent where a text that the mark begins is code to its end. */
  close?: string
  /** The language that the mark names, as a fence would; '' where it names none. */
  tag: string
  source: string
}

const defineCodeMarks = (tag: string, source: string, ...names: readonly string[]): CodeMarks[] =>
  names.map((name) => ({
    open: name,
    close: name.startsWith('[') ? name.replace('[', '[/') : name.replace('<', '</'),
    tag,
    source,
  }))

const codeLlama = 'https://huggingface.co/codellama/CodeLlama-7b-Instruct-hf'
const codeAct = 'https://github.com/xingyaoww/code-act'

export const codeMarks: readonly CodeMarks[] = [
  ...defineCodeMarks('python', codeLlama, '[PYTHON]'),
  ...defineCodeMarks('javascript', codeLlama, '[JAVASCRIPT]', '[JS]'),
  ...defineCodeMarks('', codeLlama, '[CODE]', '[ANSWER]', '[SOLUTION]'),
  ...defineCodeMarks('python', codeAct, '<python>', '<execute_python>', '<jupyter_code>'),
  ...defineCodeMarks('javascript', codeAct, '<javascript>', '<js>'),
  ...defineCodeMarks('', codeAct, '<code>', '<execute>', '<program>', '<script>'),
  ...defineCodeMarks('', 'https://huggingface.co/tencent/Hunyuan-A13B-Instruct', '<answer>', '<solution>'),
  ...defineCodeMarks(
    '',
    'https://huggingface.co/mattshumer/Reflection-Llama-3.1-70B',
    '<output>',
    '<response>',
  ),
  {
    open: '<|begin_of_solution|>',
    close: '<|end_of_solution|>',
    tag: '',
    source: 'https://huggingface.co/open-thoughts/OpenThinker-7B',
  },
  {
    open: '<|python_tag|>',
    tag: 'python',
    source: 'https://huggingface.co/meta-llama/Llama-3.1-8B-Instruct',
  },
  {
    open: '<jupyter_code>',
    close: '<jupyter_output>',
    tag: 'python',
    source: 'https://huggingface.co/bigcode/starcoder',
  },
  {
    open: 'BEGIN SOLUTION',
    close: 'END SOLUTION',
    tag: '',
    source: 'https://github.com/xlang-ai/DS-1000',
  },
  {
    open: '\\begin{code}',
    close: '\\end{code}',
    tag: '',
    source: 'https://github.com/xlang-ai/DS-1000',
  },
]
