import type { ServiceChange } from '../../shared/ipc/host/service.ts'
import { failureOf } from '../ipc/call-failure.ts'
import { useIpcCommand } from '../ipc/use-ipc.ts'
import { Button } from '../kit/button.tsx'
import { useNavigate } from '../kit/layout/navigation.tsx'
import { Banner } from '../kit/layout/note.tsx'
import { ServiceChangeLines } from '../parts/line-value.tsx'
import { appText } from '../text/en/app.en.tsx'
import { failureText } from '../text/failure-text.ts'
import styles from './frame.module.css'

interface ServiceChangeBannerProps {
  readonly changes: readonly ServiceChange[]
  /** Called after the app tried to accept the service's change, with or without success. */
  readonly onAnswered: () => void
}

/**
 * Shown on every page while the service differs from what the app expects, until the user accepts the difference (GEN-09). Until then, the app
 * blocks new orders, but not cancels and closes.
 */
export function ServiceChangeBanner({ changes, onAnswered }: ServiceChangeBannerProps) {
  const agree = useIpcCommand('service.acceptChange')
  const navigate = useNavigate()
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
            <Button size="xs" busy={agree.isPending} onClick={() => agree.mutate({ drifts: [...changes] }, { onSettled: onAnswered })}>
              {appText.tradeAnyway}
            </Button>
          </>
        }
      >
        <ServiceChangeLines drifts={changes} /> {appText.serviceChangedEffect}
        {agree.error === null ? null : ` ${failureText(failureOf(agree.error)).meaning}`}
      </Banner>
    </div>
  )
}
