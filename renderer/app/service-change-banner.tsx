import { failureOf } from '../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../ipc/use-ipc.ts'
import { Button } from '../kit/button.tsx'
import { useNavigate } from '../kit/layout/navigation.tsx'
import { Banner } from '../kit/layout/note.tsx'
import { ServiceChangeLines } from '../parts/line-value.tsx'
import { appText } from '../text/en/app.en.tsx'
import { failureText } from '../text/failure-text.ts'
import styles from './frame.module.css'

/** Shown on every page until the user agrees: the service differs from what the app expects (GEN-09). New orders wait; cancels and closes do not. */
export function ServiceChangeBanner() {
  const drift = useIpcQuery('service.drift', {})
  const agree = useIpcCommand('service.acceptChange')
  const navigate = useNavigate()
  const { data } = drift
  if (data === undefined || data.drifts.length === 0 || data.agreed) return null
  return (
    <div className={styles.frameBanner}>
      <Banner
        tone="danger"
        icon="warn"
        title={appText.serviceChanged}
        actions={
          <>
            <Button size="xs" variant="ghost" onClick={() => navigate('settings/service')}>
              {appText.show}
            </Button>
            <Button size="xs" busy={agree.isPending} onClick={() => agree.mutate({ drifts: data.drifts }, { onSettled: () => void drift.refetch() })}>
              {appText.tradeAnyway}
            </Button>
          </>
        }
      >
        <ServiceChangeLines drifts={data.drifts} /> {appText.serviceChangedEffect}
        {agree.error === null ? null : ` ${failureText(failureOf(agree.error)).meaning}`}
      </Banner>
    </div>
  )
}
