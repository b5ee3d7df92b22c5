import { failureOf } from '../../ipc/desk-failure.ts'
import { useDeskCommand, useDeskQuery } from '../../ipc/use-desk.ts'
import { Button } from '../../kit/button.tsx'
import { Banner } from '../../kit/layout/banner.tsx'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import { DriftLines } from '../../parts/drift-lines.tsx'
import { failureText } from '../../text/failure-text.ts'

/** Across every page until the user agrees: the service is not what the app was made for (GEN-09). New orders wait; what ends risk does not. */
export function DriftBanner() {
  const drift = useDeskQuery('service.drift', {})
  const agree = useDeskCommand('service.agreeToDrift')
  const navigate = useNavigate()
  const { data } = drift
  if (data === undefined || data.drifts.length === 0 || data.agreed) return null
  return (
    <div className="frame-banner">
      <Banner
        tone="danger"
        icon="warn"
        title="The service is not what it was."
        actions={
          <>
            <Button size="xs" variant="ghost" onClick={() => navigate('settings/service')}>
              Show
            </Button>
            <Button size="xs" busy={agree.isPending} onClick={() => agree.mutate({ drifts: data.drifts }, { onSettled: () => void drift.refetch() })}>
              Trade all the same
            </Button>
          </>
        }
      >
        <DriftLines drifts={data.drifts} /> New orders wait for your word; closing and cancelling do not.
        {agree.error === null ? null : ` ${failureText(failureOf(agree.error)).meaning}`}
      </Banner>
    </div>
  )
}
