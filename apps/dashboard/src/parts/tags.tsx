/** Tags of evaluations: links to those that have one, and on an evaluation also a place to change them. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { EvaluationResource, TagChange } from '@stateeval/contracts'
import { useId } from 'react'
import { getApi } from '../data/api.ts'
import { createEvaluationQuery } from '../data/queries.ts'
import { parseTags } from '../pure/listed.ts'
import { Failure } from './states.tsx'

const TagLink = ({ tag }: { tag: string }) => (
  <Link to="/evaluations" search={{ tag }}>
    {tag}
  </Link>
)

export const TagLinks = ({ tags = [] }: Pick<EvaluationResource, 'tags'>) =>
  tags.length > 0 && (
    <ul className="tags" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag}>
          <TagLink tag={tag} />
        </li>
      ))}
    </ul>
  )

export function Tags({ evaluation: { id, tags = [] } }: { evaluation: EvaluationResource }) {
  const client = useQueryClient()
  const field = useId()
  const change = useMutation({
    mutationFn: (body: TagChange) => getApi().changeEvaluationTags({ params: { id }, body }),
    onSuccess: async (changed) => {
      client.setQueryData(createEvaluationQuery(id).queryKey, changed)
      await client.invalidateQueries({ queryKey: ['evaluations'] })
    },
  })
  return (
    <form
      className="tagging"
      onSubmit={(event) => {
        event.preventDefault()
        const form = event.currentTarget
        const add = parseTags(new FormData(form).get('tags') as string)
        if (add.length > 0) change.mutate({ add }, { onSuccess: () => form.reset() })
      }}
    >
      {tags.length > 0 && (
        <ul className="tags" aria-label="Tags">
          {tags.map((tag) => (
            <li key={tag}>
              <TagLink tag={tag} />
              <button
                type="button"
                aria-label={`Remove the tag ${tag}`}
                disabled={change.isPending}
                onClick={() => change.mutate({ remove: [tag] })}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <label htmlFor={field}>Add tags</label>
      <input id={field} name="tags" spellCheck={false} autoComplete="off" required />
      <button type="submit" disabled={change.isPending}>
        Add
      </button>
      {change.error && <Failure error={change.error} />}
    </form>
  )
}
