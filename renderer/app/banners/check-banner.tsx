import { useDeskCommand, useDeskQuery } from '../../ipc/use-desk.ts'
import { Button } from '../../kit/button.tsx'
import { Banner } from '../../kit/layout/banner.tsx'
import { useNavigate } from '../../kit/layout/navigation.tsx'

const texts = {
  first: { title: 'Check this service.', text: 'See what of its answers the app understands before you trade.' },
  drift: { title: 'The service answers differently now.', text: 'One of its answers tells less than it did, or can no longer be read.' },
} as const

/** Leads to the service check on the first connection with a key, and where an answer changed. Put away with one press. */
export function CheckBanner() {
  const { data } = useDeskQuery('serviceCheck.state', {})
  const dismiss = useDeskCommand('serviceCheck.dismiss')
  const navigate = useNavigate()
  if (data === undefined || data.offer === null) return null
  const { title, text } = texts[data.offer]
  return (
    <div className="frame-banner">
      <Banner
        tone={data.offer === 'drift' ? 'warn' : 'neutral'}
        icon="search"
        title={title}
        actions={
          <>
            <Button size="xs" variant="ghost" busy={dismiss.isPending} onClick={() => dismiss.mutate({})}>
              Not now
            </Button>
            <Button size="xs" onClick={() => navigate('settings/check')}>
              Open service check
            </Button>
          </>
        }
      >
        {text}
      </Banner>
    </div>
  )
}
