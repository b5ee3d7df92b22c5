import type { Breaker } from '../../../shared/ipc/reads/market-state.ts'
import { second } from '../../../shared/time.ts'
import { useDeskQuery } from '../../ipc/use-desk.ts'
import { Button } from '../../kit/button.tsx'
import { Banner } from '../../kit/layout/banner.tsx'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import { Time } from '../../kit/time/time.tsx'
import { VisibleText } from '../../kit/visible-text.tsx'
import { breakerName } from '../../text/breaker-name.ts'
import styles from '../frame.module.css'

/** A name or a reason may be of any length; all of it stands on the Markets page. */
const cut = (text: string): string => (text.length <= 160 ? text : `${text.slice(0, 159)}…`)

/** One safety switch: why, and since when. */
function Why({ breaker: { name, reason, sinceMs, seenAtMs }, several }: { readonly breaker: Breaker; readonly several: boolean }) {
  return (
    <span className={styles.breaker}>
      {several ? (
        <b>
          <VisibleText text={cut(breakerName(name))} />:{' '}
        </b>
      ) : null}
      {reason === null ? 'The exchange gives no reason' : <VisibleText text={cut(reason)} />}
      {sinceMs === null ? ', first seen ' : ', since '}
      <Time ms={sinceMs ?? seenAtMs} />.{' '}
    </span>
  )
}

/** Across every page, for as long as the exchange has stopped something: what, why and since when. */
export function BreakerBanner() {
  const read = useDeskQuery('markets.breakers', {}, { every: 15 * second })
  const navigate = useNavigate()
  const tripped = read.data?.breakers.filter((breaker) => breaker.tripped === true) ?? []
  const [first] = tripped
  if (first === undefined) return null
  const several = tripped.length > 1
  return (
    <div className={styles.frameBanner}>
      <Banner
        tone="warn"
        icon="stop"
        title={
          several ? (
            `The exchange has tripped ${tripped.length} circuit breakers.`
          ) : (
            <>The exchange has tripped a circuit breaker: {<VisibleText text={cut(breakerName(first.name))} />}.</>
          )
        }
        actions={
          <Button size="xs" onClick={() => navigate('markets/exchange')}>
            Show
          </Button>
        }
      >
        {tripped.map((breaker) => (
          <Why key={breaker.name} breaker={breaker} several={several} />
        ))}
        {read.error === null ? null : 'It could not be read again. '}
      </Banner>
    </div>
  )
}
