import { useDeskQuery } from '../../ipc/use-desk.ts'
import { Button } from '../../kit/button.tsx'
import { Banner } from '../../kit/layout/banner.tsx'
import { useNavigate, usePlace } from '../../kit/layout/navigation.tsx'

/** Across every page: orders or positions are being ended, and that is not finished. On its own page nothing is said twice. */
export function SweepBanner() {
  const sweep = useDeskQuery('sweeps.state', {})
  const navigate = useNavigate()
  const { name, rest } = usePlace()
  const { data } = sweep
  if (data === undefined || data.state !== 'open' || (name === 'trade' && rest[0] === 'stop')) return null
  const left = data.steps.filter(({ state }) => state !== 'done' && state !== 'gone' && state !== 'skipped').length
  return (
    <div className="frame-banner">
      <Banner
        tone={data.running ? 'warn' : 'danger'}
        icon="stop"
        title={left === 0 ? 'The keys are still to be revoked.' : `${left} of ${data.steps.length} steps are left to be stopped.`}
        actions={
          <Button size="xs" onClick={() => navigate('trade/stop')}>
            {data.running ? 'Show' : 'Go on'}
          </Button>
        }
      >
        {data.running ? 'The executor is at it, whatever page you are on.' : 'What was sent is followed; the rest waits for you.'}
      </Banner>
    </div>
  )
}
