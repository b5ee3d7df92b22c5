import { useDeskCommand, useDeskQuery } from '../../../ipc/use-desk.ts'
import { Button } from '../../../kit/button.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import { DriftLines } from '../../../parts/drift-lines.tsx'

/** What changed in what the service publishes of itself, and whether the user trades all the same (GEN-09). */
export function DriftPart() {
  const { data, refetch } = useDeskQuery('service.drift', {})
  const agree = useDeskCommand('service.agreeToDrift')
  if (data === undefined || data.drifts.length === 0) return null
  return (
    <div className="set-note">
      <Note tone={data.agreed ? 'neutral' : 'warn'} icon="warn" title="It is not what this app goes by.">
        <p>
          <DriftLines drifts={data.drifts} />
        </p>
        {data.agreed ? (
          <p>You trade all the same. Another change asks again.</p>
        ) : (
          <Button size="sm" busy={agree.isPending} onClick={() => agree.mutate({ drifts: data.drifts }, { onSettled: () => void refetch() })}>
            Trade all the same
          </Button>
        )}
      </Note>
    </div>
  )
}
