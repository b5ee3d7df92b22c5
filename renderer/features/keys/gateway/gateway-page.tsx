import { useState } from 'react'
import type { GatewayStatus } from '../../../../shared/ipc/keys/gateway.ts'
import { second } from '../../../../shared/time.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Button } from '../../../kit/button.tsx'
import { Switch } from '../../../kit/checkbox.tsx'
import controlsStyles from '../../../kit/controls.module.css'
import { CopyButton } from '../../../kit/copy-button.tsx'
import { cx } from '../../../kit/cx.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Field, Input } from '../../../kit/input.tsx'
import { Link, useNavigate } from '../../../kit/layout/navigation.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import panelStyles from '../../../kit/layout/panel.module.css'
import { Panel } from '../../../kit/layout/panel.tsx'
import { Empty, Loading, Skeleton } from '../../../kit/layout/placeholders.tsx'
import { State } from '../../../kit/layout/state.tsx'
import textStyles from '../../../kit/text.module.css'
import { FailureNote, FailurePanel } from '../../../parts/failure-note.tsx'
import { usePauseBots } from '../../../parts/pause-bots.ts'
import { appText } from '../../../text/en/app.en.tsx'
import { keysText } from '../../../text/en/keys.en.tsx'
import { AddBotSheet, PolicySheet } from './bot-sheet.tsx'
import { BotTable } from './bot-table.tsx'
import { isForBots } from './bot-words.ts'
import styles from './gateway.module.css'

/** How often the page reads the figures of the bots, in ms. The main process answers from memory. */
const everyMs = 2 * second

/**
 * The gateway, over which bots use the exchange without a key: its switch and address, and a row for each bot. `at`: the sheet over the page, `add`
 * or the id of a bot whose mode and limits the user changes.
 */
export function GatewayPage({ at }: { readonly at: string | null }) {
  const navigate = useNavigate()
  const status = useIpcQuery('gateway.status', {}, { every: everyMs })
  const close = () => navigate('keys/gateway')
  const bots = status.data?.bots
  const changed = at === null || at === 'add' ? undefined : bots?.find(({ id }) => id === at)
  return (
    <div className={cx(panelStyles.page, styles.gatewayPage)}>
      <div className={panelStyles.pageHead}>
        <span className={panelStyles.crumb}>
          <Link to="keys">{keysText.keys}</Link>
          <Icon name="chevron-right" />
          <h1>{keysText.gateway}</h1>
        </span>
        <div className={panelStyles.end}>
          <PauseAll />
          <Button variant="primary" icon="plus" onClick={() => navigate('keys/gateway/add')}>
            {keysText.addBot}
          </Button>
        </div>
      </div>
      {status.data !== undefined ? (
        <>
          <GatewayPanel key={`${status.data.port} ${status.data.callsPerSecond}`} status={status.data} />
          {status.error === null ? null : <FailureNote failure={failureOf(status.error)} onRetry={() => void status.refetch()} retrying={status.isFetching} />}
          <Panel title={keysText.bots} count={status.data.bots.length === 0 ? undefined : status.data.bots.length}>
            {status.data.bots.length === 0 ? <NoBots /> : <BotTable bots={status.data.bots} isOn={status.data.hostUrl !== null} />}
          </Panel>
        </>
      ) : status.error !== null ? (
        <Panel>
          <FailurePanel failure={failureOf(status.error)} onRetry={() => void status.refetch()} retrying={status.isFetching} />
        </Panel>
      ) : (
        <Loading label={keysText.readingGateway}>
          <Panel padded>
            <Skeleton width="100%" height={200} />
          </Panel>
        </Loading>
      )}
      {at === 'add' ? <AddBotSheet bots={bots ?? []} hostUrl={status.data?.hostUrl ?? null} onClose={close} /> : null}
      {changed === undefined ? null : <PolicySheet key={changed.id} bot={changed} onClose={close} />}
    </div>
  )
}

/** Pauses every bot at once. It needs nothing that the page reads, so it works while the page loads, or cannot. */
function PauseAll() {
  const { pause, pausing } = usePauseBots()
  return (
    <Button variant="danger" icon="pause" busy={pausing === null} onClick={() => pause(null)}>
      {appText.pauseAllBots}
    </Button>
  )
}

const wholeIn = (typed: string, from: number, to: number): number | null => {
  const value = /^\d{1,6}$/.test(typed.trim()) ? Number(typed) : Number.NaN
  return value >= from && value <= to ? value : null
}

function GatewayPanel({ status }: { readonly status: GatewayStatus }) {
  const turn = useIpcCommand('gateway.set')
  const set = useIpcCommand('gateway.set')
  const { isOn, hostUrl, socket, trouble } = status
  const [port, setPort] = useState(String(status.port))
  const [rate, setRate] = useState(String(status.callsPerSecond))
  const typedPort = wholeIn(port, 1_024, 65_535)
  const typedRate = wholeIn(rate, 1, 10_000)
  const isChanged = typedPort !== status.port || typedRate !== status.callsPerSecond
  const failed = turn.error ?? set.error
  // Only the switch itself: the page may still show the port from before a change.
  const switchTo = (next: boolean) => turn.mutate({ isOn: next })
  const apply = () => {
    if (typedPort !== null && typedRate !== null) set.mutate({ port: typedPort, callsPerSecond: typedRate })
  }
  return (
    <Panel title={keysText.gateway} end={<GatewayState status={status} />}>
      <div className={styles.gatewayBody}>
        {trouble === null ? null : (
          <Note
            tone={hostUrl === null ? 'danger' : 'warn'}
            live
            title={(trouble.code === 'port_taken' ? keysText.portTaken : keysText.gatewayFailed)(trouble.port, trouble.detail)}
            end={
              hostUrl === null ? (
                <Button size="xs" icon="refresh" busy={turn.isPending} onClick={() => switchTo(true)}>
                  {keysText.tryAgain}
                </Button>
              ) : undefined
            }
          >
            {hostUrl !== null ? keysText.gatewayStillListens(hostUrl) : trouble.code === 'port_taken' ? keysText.portTakenAdvice : keysText.gatewayFailedAdvice}
          </Note>
        )}
        <div className={styles.gatewaySwitch}>
          <p className={textStyles.grow}>{isOn ? keysText.gatewayOnDetail : keysText.gatewayOffDetail}</p>
          <Switch checked={isOn} disabled={turn.isPending} onChange={switchTo}>
            {keysText.letBotsIn}
          </Switch>
        </div>
        <div className={styles.gatewayPlaces}>
          <GatewayPlace name={keysText.gatewayAddress} text={hostUrl} />
          <GatewayPlace name={keysText.gatewaySocket} text={socket} />
          <form
            className={styles.gatewayForm}
            onSubmit={(event) => {
              event.preventDefault()
              apply()
            }}
          >
            <Field id="gateway-port" label={keysText.gatewayPort} error={typedPort === null ? keysText.gatewayPortRange : undefined}>
              <Input id="gateway-port" numeric inputMode="numeric" value={port} invalid={typedPort === null} onChange={setPort} />
            </Field>
            <Field
              id="gateway-rate"
              label={keysText.sharedRate}
              error={typedRate === null ? keysText.sharedRateRange : undefined}
              help={keysText.sharedRateHelp}
            >
              <Input id="gateway-rate" numeric inputMode="numeric" unit={keysText.perSecondUnit} value={rate} invalid={typedRate === null} onChange={setRate} />
            </Field>
            <Button type="submit" busy={set.isPending} disabled={!isChanged || typedPort === null || typedRate === null}>
              {keysText.applyGateway}
            </Button>
          </form>
        </div>
        {failed === null ? null : <FailureNote failure={failureOf(failed)} />}
      </div>
    </Panel>
  )
}

function GatewayState({ status: { isOn, hostUrl } }: { readonly status: GatewayStatus }) {
  if (!isOn)
    return (
      <State tone="off" icon="pause">
        {keysText.gatewayIsOff}
      </State>
    )
  return hostUrl === null ? (
    <State tone="danger" icon="warn">
      {keysText.gatewayCannotListen}
    </State>
  ) : (
    <State tone="ok" icon="check">
      {keysText.gatewayIsOn}
    </State>
  )
}

function GatewayPlace({ name, text }: { readonly name: string; readonly text: string | null }) {
  return (
    <div className={controlsStyles.field}>
      <span className={controlsStyles.label}>{name}</span>
      <span className={styles.gatewayPlace}>
        {text === null ? (
          <span className={textStyles.muted}>{keysText.gatewayHasNoAddress}</span>
        ) : (
          <>
            <code className={textStyles.cut} title={text}>
              {text}
            </code>
            <CopyButton text={text} what={name} />
          </>
        )}
      </span>
    </div>
  )
}

/** Shown in place of the table while there is no bot. Says what a bot needs. */
function NoBots() {
  const navigate = useNavigate()
  const list = useIpcQuery('keys.list', {})
  const isKeyless = list.data !== undefined && !list.data.keys.some(isForBots)
  return isKeyless ? (
    <Empty
      icon="nokey"
      title={keysText.noKeyForBots}
      level={3}
      actions={
        <Button icon="plus" onClick={() => navigate('keys/new')}>
          {keysText.newKey}
        </Button>
      }
    >
      {keysText.noKeyForBotsDetail}
    </Empty>
  ) : (
    <Empty
      icon="bot"
      title={keysText.noBots}
      level={3}
      actions={
        <Button icon="plus" onClick={() => navigate('keys/gateway/add')}>
          {keysText.addBot}
        </Button>
      }
    >
      {keysText.noBotsDetail}
    </Empty>
  )
}
