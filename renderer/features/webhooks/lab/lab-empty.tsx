import type { LabState } from '../../../../shared/ipc/webhooks/receiver-lab.ts'
import { useDeskQuery } from '../../../ipc/use-desk.ts'
import { Button } from '../../../kit/button.tsx'
import { Empty } from '../../../kit/layout/empty.tsx'
import { useNavigate } from '../../../kit/layout/navigation.tsx'
import { placeOf, usualPlace } from './lab-setup.ts'
import { goneWords, settingsWords } from './lab-words.ts'

/** Before anything came: how deliveries get here. */
export function LabEmpty({ state, onSetup }: { readonly state: LabState; readonly onSetup: (gone: boolean) => void }) {
  const navigate = useNavigate()
  const kept = useDeskQuery('webhooks.kept', {})
  const profiles = useDeskQuery('profiles.list', {})
  const practice = profiles.data?.profiles.find((one) => one.id === profiles.data.activeId)?.kind === 'practice'
  const { settings, url, earlier } = state
  const here = url ?? `http://127.0.0.1:${usualPlace.port}${usualPlace.path}`
  const gone = settings?.signed === false && state.status !== 'listening'
  if (settings !== null && !gone && earlier)
    return (
      <Empty icon="pause" title="Paused since the app was closed">
        Listen goes on with the deliveries of <code>{settings.webhookUrl}</code>, {settingsWords(settings)}. What came before is not kept.
      </Empty>
    )
  if (settings !== null && !gone)
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
      icon={gone ? 'key' : 'inbox'}
      title={gone ? 'Its webhook is gone' : 'See what the service delivers'}
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
            <Button variant="primary" icon={gone ? 'webhook' : 'play'} onClick={() => onSetup(gone)}>
              {gone ? 'Choose a webhook' : 'Listen'}
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
      {gone ? (
        goneWords(state)
      ) : practice ? (
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
