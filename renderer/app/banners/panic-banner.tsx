import { useDeskQuery } from '../../ipc/use-desk.ts'
import { Button } from '../../kit/button.tsx'
import { Banner } from '../../kit/layout/banner.tsx'
import { useNavigate, usePlace } from '../../kit/layout/navigation.tsx'

/** Across every page: keys are being revoked, or that stopped before all were. On its own page nothing is said twice. */
export function PanicBanner() {
  const panic = useDeskQuery('panic.state', {})
  const navigate = useNavigate()
  const { name, rest } = usePlace()
  const { data } = panic
  if (data === undefined || data.state === 'idle' || data.state === 'done' || (name === 'keys' && rest[0] === 'panic')) return null
  const running = data.state === 'running'
  return (
    <div className="frame-banner">
      <Banner
        tone={running ? 'warn' : 'danger'}
        icon={running ? 'trash' : 'warn'}
        title={running ? `Revoking keys, ${data.total - data.left} of ${data.total}.` : `Revoking keys stopped. ${data.left} of ${data.total} still work.`}
        actions={
          <Button size="xs" onClick={() => navigate('keys/panic')}>
            {running ? 'Show' : 'Go on'}
          </Button>
        }
      >
        {running ? 'It goes on whatever page you are on.' : 'Nothing more is asked until you go on.'}
      </Banner>
    </div>
  )
}
