/**
 * Code side by side, and code to edit; loaded when needed. It is in a shadow root, where CodeMirror uses
 * style sheets that the page's policy permits.
 */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { javascript } from '@codemirror/lang-javascript'
import { python } from '@codemirror/lang-python'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { MergeView } from '@codemirror/merge'
import { EditorState, type Extension } from '@codemirror/state'
import { Decoration, EditorView, keymap, lineNumbers, WidgetType } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'react'

const highlight = HighlightStyle.define([
  { tag: [tags.keyword, tags.controlKeyword, tags.definitionKeyword], color: 'var(--accent)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--wait)' },
  { tag: tags.comment, color: 'var(--quiet)', fontStyle: 'italic' },
])

const theme = EditorView.theme({
  '&': { backgroundColor: 'var(--ground)', color: 'var(--ink)', fontSize: '13px', maxHeight: '34rem' },
  '.cm-scroller': { fontFamily: 'ui-monospace, monospace', overflow: 'auto' },
  '.cm-gutters': { backgroundColor: 'var(--raised)', color: 'var(--quiet)', border: 'none' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '&.cm-focused': { outline: '2px solid var(--accent)' },
  '&.cm-merge-a .cm-changedLine': { backgroundColor: 'var(--removed)' },
  '&.cm-merge-b .cm-changedLine': { backgroundColor: 'var(--added)' },
  '&.cm-merge-a .cm-changedText, &.cm-merge-b .cm-changedText': {
    background: 'none',
    textDecoration: 'underline',
  },
  '.cm-errorLine': { boxShadow: 'inset 4px 0 0 var(--bad)' },
  '.cm-said': { color: 'var(--bad)', padding: '0 6px', whiteSpace: 'pre-wrap' },
  '.cm-collapsedLines': { background: 'var(--raised)', color: 'var(--ink)' },
})

const createExtensions = (language: string | undefined, label: string): Extension[] => [
  lineNumbers(),
  syntaxHighlighting(highlight),
  language === 'python' ? python() : javascript(),
  theme,
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ 'aria-label': label }),
]

/** Calls `make` with the shadow root of an element, and what it gave when that goes. */
function useShadow(make: (root: ShadowRoot) => { destroy(): void }, dependencies: readonly unknown[]) {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!host.current) return
    const view = make(host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' }))
    return () => view.destroy()
    // The caller says what the view depends on.
  }, dependencies)
  return host
}

/** Place of an error in the code. */
interface ErrorLine {
  name: string
  message: string
  line?: number
}
/** Marks the line, and says the error below it. */
function markError({ name, message, line }: ErrorLine, code: string): Extension {
  if (line === undefined || line < 1 || line > code.split('\n').length) return []
  const { from, to } = EditorState.create({ doc: code }).doc.line(line)
  const says = `${name}: ${message}`.slice(0, 500)
  return EditorView.decorations.of(
    Decoration.set([
      Decoration.line({ class: 'cm-errorLine' }).range(from),
      Decoration.widget({ widget: new SaidWidget(says), side: 1, block: true }).range(to),
    ]),
  )
}
class SaidWidget extends WidgetType {
  readonly text: string
  constructor(text: string) {
    super()
    this.text = text
  }
  override toDOM(): HTMLElement {
    const element = document.createElement('div')
    element.className = 'cm-said'
    element.textContent = this.text
    return element
  }
}

interface MergeProps {
  language: string | undefined
  reference: string
  candidate: string
  /** The error of the candidate. */
  error: ErrorLine | undefined
}
export function Merge({ language, reference, candidate, error }: MergeProps) {
  const host = useShadow(
    (root) =>
      new MergeView({
        a: {
          doc: reference,
          extensions: [...createExtensions(language, 'Reference code'), EditorState.readOnly.of(true)],
        },
        b: {
          doc: candidate,
          extensions: [
            ...createExtensions(language, 'Candidate code'),
            EditorState.readOnly.of(true),
            ...(error ? [markError(error, candidate)] : []),
          ],
        },
        parent: root,
        root,
        gutter: true,
      }),
    [language, reference, candidate, error],
  )
  return <div className="code" ref={host} />
}

interface EditorProps {
  language: string | undefined
  code: string
  onChange: (code: string) => void
}
/** `code` is the initial text. */
export function Editor({ language, code, onChange }: EditorProps) {
  const change = useRef(onChange)
  useEffect(() => {
    change.current = onChange
  })
  const host = useShadow(
    (root) =>
      new EditorView({
        doc: code,
        extensions: [
          ...createExtensions(language, 'Code to run; Escape, then Tab leaves the editor'),
          history(),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) change.current(update.state.doc.toString())
          }),
        ],
        parent: root,
        root,
      }),
    [language, code],
  )
  return <div className="code" ref={host} />
}
