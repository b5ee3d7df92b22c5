import type { LabState } from '../../../shared/ipc/receiver-lab.ts'
import { useDeskQuery } from '../../ipc/use-desk.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { useNavigate } from '../../ui/navigation.tsx'
import { placeOf, usualPlace } from './lab-setup.ts'

/** Before anything came: how deliveries get here. */
export function LabEmpty({ state, onSetup }: { readonly state: LabState; readonly onSetup: () => void }) {
  const navigate = useNavigate()
  const kept = useDeskQuery('webhooks.kept', {})
  const profiles = useDeskQuery('profiles.list', {})
  const practice = profiles.data?.profiles.find((one) => one.id === profiles.data.activeId)?.kind === 'practice'
  const here = `http://127.0.0.1:${usualPlace.port}${usualPlace.path}`
  const { settings, url } = state
  if (settings !== null)
    return (
      <Empty icon="inbox" title={state.status === 'listening' ? 'Waiting for the first delivery' : 'Nothing was captured'}>
        {placeOf(settings.webhookUrl) === null ? (
          <>
            The service delivers to <code>{settings.webhookUrl}</code> only. Point a tunnel with that address to <code>{url}</code>.
          </>
        ) : (
          <>
            Practice delivers to <code>{settings.webhookUrl}</code> as soon as something happens: place an order.
          </>
        )}
      </Empty>
    )
  const none = kept.data?.length === 0
  return (
    <Empty
      icon="inbox"
      title="See what the service delivers"
      actions={
        none ? (
          <Button
            variant="primary"
            icon="plus"
            onClick={() => navigate(practice ? `webhooks/new?to=lab&url=${encodeURIComponent(here)}` : 'webhooks/new?to=lab')}
          >
            {practice ? 'New webhook to this computer' : 'New webhook'}
          </Button>
        ) : (
          <>
            <Button variant="primary" icon="play" onClick={onSetup}>
              Listen
            </Button>
            {practice ? (
              <Button icon="plus" onClick={() => navigate(`webhooks/new?to=lab&url=${encodeURIComponent(here)}`)}>
                New webhook to here
              </Button>
            ) : null}
          </>
        )
      }
    >
      {practice ? (
        <>
          Practice delivers to this computer: a webhook to <code>{here}</code> is all it takes. Each delivery is verified, and drawn with its attempts.
        </>
      ) : (
        <>
          The service delivers to public HTTPS addresses only. Point a tunnel to a port of this computer, and a webhook to the tunnel. Each delivery is
          verified, and drawn with its attempts.
        </>
      )}
    </Empty>
  )
}
