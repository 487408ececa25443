"""
llama.cpp's own OpenAI-compatible server, as the wheel of xllamacpp carries it: python3 llama-server.py GGUF.
PYTHONPATH names the folder of the wheel's files. Prints its base URL when it is ready.
"""

import signal
import sys

import xllamacpp

# The model's own template ignores tools; this one is Qwen's, whose calls llama.cpp parses.
TEMPLATE = """{%- if tools %}<|im_start|>system
You may call functions. Their signatures are within <tools></tools>:
<tools>
{%- for tool in tools %}
{{ tool | tojson }}
{%- endfor %}
</tools>
For each call, write a JSON object within <tool_call></tool_call>:
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call><|im_end|>
{% endif %}
{%- for message in messages %}
{%- if message.role == "tool" %}<|im_start|>user
<tool_response>
{{ message.content }}
</tool_response><|im_end|>
{% else %}<|im_start|>{{ message.role }}
{{ message.content or "" }}
{%- for call in message.tool_calls or [] %}
<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>
{%- endfor %}<|im_end|>
{% endif %}
{%- endfor %}
{%- if add_generation_prompt %}<|im_start|>assistant
{% endif %}"""

params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.model_alias = ["SmolLM2-135M-Instruct"]
params.chat_template = TEMPLATE
params.use_jinja = True
params.n_ctx = 8192
params.n_parallel = 1
# Beside other work, more threads wait for each other busily.
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
params.hostnames = ["127.0.0.1"]
params.port = 0
params.ui = False
params.verbosity = 0
server = xllamacpp.Server(params)
print(f"ready {server.listening_address}/v1", flush=True)
signal.pause()
