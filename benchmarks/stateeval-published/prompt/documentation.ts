/**
 * The APIs of the published scenarios as a model reads of them, in our words: the published documents come
 * with a data set's prompts only.
 */
import type { ScenarioName } from '../case.ts'

const session = `# Session Service API

Every address begins with {BASE_URL}. Bodies and answers are JSON.

A session is \`{"id": text, "source": text, "type": text, "data": object}\`. The service makes the id. A type is one of main_session,
virtual_study, group, comparison_session, settings, custom_data, genomic_chart, custom_gene_list.

| request | body | answer |
| --- | --- | --- |
| GET /api/sessions/{source}/{type} | | the list of sessions of this source and type |
| POST /api/sessions/{source}/{type} | the data of a new session | \`{"id": text}\` |
| GET /api/sessions/{source}/{type}/query?field=FIELD&value=VALUE | | the list of sessions whose field has exactly this text, such as field=data.title |
| PUT /api/sessions/{source}/{type}/{id} | the new data | empty |
| DELETE /api/sessions/{source}/{type}/{id} | | empty |

Example: \`requests.get("{BASE_URL}/api/sessions/lab/group/query", params={"field": "data.title", "value": "First"}).json()\`
`

const tensor = `# PyTorch functions

- \`torch.cat(tensors, dim=0)\`: joins a list or tuple of tensors along a dimension; their other sizes must be equal.
- \`torch.split(tensor, split_size_or_sections, dim=0)\`: a tuple of parts along a dimension, each of this size (the last may be
  smaller), or of the sizes in a list.
- \`torch.permute(input, dims)\`: the tensor with its dimensions in this order.
- \`torch.transpose(input, dim0, dim1)\`: the tensor with two dimensions exchanged.
- \`torch.nn.functional.conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1)\`: the 2D convolution of an input
  of shape (batch, channels, height, width) with weights of shape (out channels, channels / groups, height, width). \`padding\` is a
  number, a pair, 'valid' or 'same'.
- \`torch.nn.functional.linear(input, weight, bias=None)\`: the product of the input's last dimension with the transposed weights, which
  have the shape (out features, in features).

Example: \`torch.permute(x, (0, 2, 3, 1))\`
`

const voice = `# Voice functions

- \`search_voice_library(search_name=None, search_category=None, search_gender=None)\`: the voices that match all that is given exactly, as
  a list of \`{"category", "gender", "voice_name"}\` in the order of their names. With a name: a list of that one voice, or None. At
  least one must be given.
- \`text_to_speech(text, voice_name=None, stability=None, similarity_boost=None, style=None)\`: a Speech. The three numbers are from 0 to 1.
- \`speech_to_speech(input_speech, voice_name)\`: a new Speech in a voice of the library.
- \`speech_to_text(input_speech, diarize=False)\`: \`{"text", "diarize"}\`.
- \`isolate_audio(input_speech)\`: a new Speech without background noise.
- \`make_outbound_call(input_speech, voice_name=None)\`: calls somebody with this speech, by a voice of the library. Gives True.

Example: \`text_to_speech("Hello.", voice_name="Emma", stability=0.4)\`
`

export const documentation: Readonly<Record<ScenarioName, string>> = { session, tensor, voice }
