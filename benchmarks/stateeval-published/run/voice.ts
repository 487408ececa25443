/**
 * The mock that published voice programs call, in Python, written from its description: six functions, the
 * class Speech and a library of ten voices. `make_outbound_call` keeps the speech itself, so what the program
 * changes later shows in the record; `speech_to_text` changes its argument.
 */
export const library = [
  { voice_name: 'Emma', category: 'conversational', gender: 'feminine' },
  { voice_name: 'James', category: 'professional', gender: 'masculine' },
  { voice_name: 'Oliver', category: 'casual', gender: 'masculine' },
  { voice_name: 'Michael', category: 'young', gender: 'masculine' },
  { voice_name: 'Sofia', category: 'casual', gender: 'feminine' },
  { voice_name: 'Alexander', category: 'old', gender: 'masculine' },
  { voice_name: 'Evelyn', category: 'professional', gender: 'feminine' },
  { voice_name: 'Isabella', category: 'old', gender: 'feminine' },
  { voice_name: 'Arthur', category: 'conversational', gender: 'masculine' },
  { voice_name: 'Sophia', category: 'young', gender: 'feminine' },
] as const

export const speechFields = [
  'text',
  'voice_name',
  'stability',
  'similarity_boost',
  'style',
  'duration',
  'transitions',
] as const

/** Defines `voice_names()`, which gives the names that programs find, the record of calls, and the class. */
export const voicePython = `
def voice_names():
    import copy
    library = ${JSON.stringify(library)}
    names = {voice["voice_name"] for voice in library}
    calls = []

    class Speech:
        def __init__(self, text, voice_name="", stability=0, similarity_boost=0, style=0, duration=16.0, transitions=None):
            self.text = text
            self.voice_name = voice_name
            self.stability = stability
            self.similarity_boost = similarity_boost
            self.style = style
            self.duration = duration
            self.transitions = [] if transitions is None else transitions

    def after(speech, name, parameters):
        changed = copy.deepcopy(speech)
        changed.transitions.append([name, parameters])
        return changed

    def search_voice_library(search_name=None, search_category=None, search_gender=None):
        assert not (search_name is None and search_category is None and search_gender is None), "Give a name, a category or a gender"
        if search_name is not None:
            return next(([dict(voice)] for voice in library if voice["voice_name"] == search_name), None)
        found = [
            dict(voice)
            for voice in library
            if search_category in (None, voice["category"]) and search_gender in (None, voice["gender"])
        ]
        return sorted(found, key=lambda voice: voice["voice_name"])

    def text_to_speech(text, voice_name=None, stability=None, similarity_boost=None, style=None):
        values = {"voice_name": voice_name, "stability": stability, "similarity_boost": similarity_boost, "style": style}
        return Speech(text, **values, transitions=[["text_to_speech", values]])

    def speech_to_speech(input_speech, voice_name):
        assert voice_name in names, f"There is no voice {voice_name!r}"
        changed = after(input_speech, "speech_to_speech", {"voice_name": voice_name})
        changed.voice_name = voice_name
        return changed

    def speech_to_text(input_speech, diarize=False):
        input_speech.transitions.append(["speech_to_text", {"diarize": diarize}])
        return {"text": input_speech.text, "diarize": diarize}

    def isolate_audio(input_speech):
        changed = after(input_speech, "isolate_audio", {})
        changed.duration = input_speech.duration / 2
        return changed

    def make_outbound_call(input_speech, voice_name=None):
        calls.append((input_speech, voice_name))
        assert voice_name in names, f"There is no voice {voice_name!r}"
        return True

    functions = (search_voice_library, text_to_speech, speech_to_speech, speech_to_text, isolate_audio, make_outbound_call)
    given = {one.__name__: one for one in functions}
    given["Speech"] = Speech
    return given, calls, Speech
`
