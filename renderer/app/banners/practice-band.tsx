import { useDeskCommand, useDeskQuery } from '../../ipc/use-desk.ts'
import { CopyButton } from '../../kit/copy-button.tsx'
import { PracticeNote } from '../../parts/practice-note.tsx'

/** Says on every page that nothing here is real, and where bots find the practice exchange. */
export function PracticeBand() {
  const status = useDeskQuery('practice.status', {})
  const leave = useDeskCommand('practice.leave')
  const showPhone = useDeskCommand('practice.showPhone')
  const hostUrl = status.data?.hostUrl ?? null
  return (
    <PracticeNote>
      <span className="band-end">
        {hostUrl === null ? null : (
          <span className="band-host">
            <span className="mono">{hostUrl.replace(/^https?:\/\//, '')}</span>
            <CopyButton text={hostUrl} what="practice address" />
          </span>
        )}
        <button type="button" onClick={() => showPhone.mutate({})}>
          Show the phone
        </button>
        <button type="button" onClick={() => leave.mutate({})}>
          Leave practice
        </button>
      </span>
    </PracticeNote>
  )
}
