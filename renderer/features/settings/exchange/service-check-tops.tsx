import { useState } from 'react'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskCommand, useDeskQuery } from '../../../ipc/use-desk.ts'
import { Button } from '../../../kit/button.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { CheckPlace } from './check-place.tsx'

/** Accepts the first candidate of every missing field at once, after a list of them. */
export function ServiceCheckTops() {
  const { data } = useDeskQuery('serviceCheck.tops', {})
  const accept = useDeskCommand('serviceCheck.acceptTops')
  const [listed, setListed] = useState(false)
  const tops = data?.tops ?? []
  const failure = accept.error === null ? null : <FailureNote failure={failureOf(accept.error)} />
  if (tops.length === 0)
    return (
      <>
        {accept.data === undefined ? null : <p role="status">{`${accept.data.accepted} accepted. Undo or reset them in the field map below.`}</p>}
        {failure}
      </>
    )
  if (!listed)
    return (
      <div>
        <Button size="sm" onClick={() => setListed(true)}>
          {`Accept all top candidates (${tops.length})`}
        </Button>
        {failure}
      </div>
    )
  const places = tops.map(({ resource, field, path }) => ({ resource, field, path }))
  return (
    <section className="check-field" aria-label="Top candidates">
      <b>These fields will be read from here</b>
      <ul>
        {tops.map(({ resource, field, path, preview }) => (
          <CheckPlace key={`${resource}.${field}`} before={`${resource}: ${field}`} path={path} preview={preview} />
        ))}
      </ul>
      <span className="set-acts">
        <Button size="sm" onClick={() => setListed(false)}>
          Cancel
        </Button>
        <Button size="sm" variant="primary" busy={accept.isPending} onClick={() => accept.mutate({ tops: places }, { onSettled: () => setListed(false) })}>
          {`Accept ${tops.length}`}
        </Button>
      </span>
      {failure}
    </section>
  )
}
