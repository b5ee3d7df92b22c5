import { useDeskQuery } from '../../../ipc/use-desk.ts'
import { Button } from '../../../kit/button.tsx'
import { useNavigate } from '../../../kit/layout/navigation.tsx'
import { Row, Rows } from '../../../kit/layout/panel.tsx'
import { State } from '../../../kit/layout/state.tsx'
import { Time } from '../../../kit/time/time.tsx'
import { resultText } from './service-check-text.ts'

const offers = { first: 'Check it before you trade', drift: 'Answers have changed since' } as const

/** The last result of the service check in a line, with the reason to run it again. */
export function LastCheck() {
  const { data } = useDeskQuery('serviceCheck.state', {})
  const navigate = useNavigate()
  if (data === undefined) return null
  const { endedAtMs, offer } = data
  return (
    <Rows ruled className="set-rows">
      <Row name="Service check">
        <span>
          {resultText(data)}{' '}
          {endedAtMs === null ? null : (
            <>
              Checked <Time ms={endedAtMs} />
            </>
          )}
        </span>
        {offer === null ? null : (
          <State tone={offer === 'drift' ? 'warn' : 'off'} icon={offer === 'drift' ? 'warn' : 'search'}>
            {offers[offer]}
          </State>
        )}
        <Button size="xs" onClick={() => navigate('settings/check')}>
          {data.rows.length === 0 ? 'Go to the check' : 'See report'}
        </Button>
      </Row>
    </Rows>
  )
}
