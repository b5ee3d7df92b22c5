import type { Health } from '../../../../shared/ipc/host/app.ts'
import { Row } from '../../../kit/layout/panel.tsx'
import { State } from '../../../kit/layout/state.tsx'
import { Time } from '../../../kit/time/time.tsx'

type Host = Health['hosts'][number]

const looks = {
  up: { tone: 'ok', icon: 'check', words: 'Answers' },
  down: { tone: 'danger', icon: 'x', words: 'Does not answer' },
  unknown: { tone: 'off', icon: 'unknown', words: 'Not asked yet' },
} as const

/** Each host of the service, and which of them answered last. */
export function HostStates({ hosts }: { readonly hosts: readonly Host[] }) {
  return hosts.map(({ which, host, state, answering }) => {
    const { tone, icon, words } = looks[state]
    return (
      <Row key={which} name={which === 'first' ? 'Host' : 'Second host, for reads'}>
        <span className="set-host">
          <code>{host}</code>
          <State tone={tone} icon={icon}>
            {words}
            {answering && hosts.length > 1 ? ', and did last' : ''}
          </State>
        </span>
      </Row>
    )
  })
}

/** Whether changes of the account are told by the service itself, or asked for. */
export function StreamRow({ stream }: { readonly stream: Health['stream'] }) {
  if (stream === null) return null
  if (stream.state === 'live')
    return (
      <Row name="Account stream">
        <State tone="ok" icon="check">
          Live
          {stream.lastEventAtMs === null ? null : (
            <>
              , last heard <Time ms={stream.lastEventAtMs} />
            </>
          )}
        </State>
      </Row>
    )
  return (
    <Row name="Account stream">
      <State tone="off" icon="refresh">
        {stream.state === 'off' ? 'Takes a key that may read the account' : 'The service has none now; the account is asked for instead'}
      </State>
    </Row>
  )
}
