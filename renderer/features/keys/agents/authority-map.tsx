import type { ReactNode } from 'react'
import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { isLiveKey } from '../../../../shared/live-key.ts'
import { Button } from '../../../kit/button.tsx'
import { Chip } from '../../../kit/chip.tsx'
import { cx } from '../../../kit/cx.ts'
import { Icon, type IconName } from '../../../kit/icons/icon.tsx'
import { Identicon } from '../../../kit/icons/identicon.tsx'
import panelStyles from '../../../kit/layout/panel.module.css'
import { Panel } from '../../../kit/layout/panel.tsx'
import { State } from '../../../kit/layout/state.tsx'
import { shorten } from '../../../kit/number.tsx'
import textStyles from '../../../kit/text.module.css'
import { Time, useNow } from '../../../kit/time/time.tsx'
import { VisibleText } from '../../../kit/visible-text.tsx'
import { keysText } from '../../../text/en/keys.en.tsx'
import keyDetailStyles from '../key-detail.module.css'
import { leftText, lifeOf } from '../key-view.ts'
import keysStyles from '../keys.module.css'
import { type Authority, authorityOf, type Reach } from './authority.ts'

interface NodeProps {
  readonly icon: IconName
  readonly name: string
  readonly mark: ReactNode
  readonly title: ReactNode
  readonly reach: Reach
  readonly children: ReactNode
  readonly action?: ReactNode
}

function Leg({ icon, name, mark, title, reach, children, action }: NodeProps) {
  return (
    <article className={reach === 'open' ? keyDetailStyles.node : cx(keyDetailStyles.node, keyDetailStyles[reach])}>
      <header>
        <Icon name={icon} />
        <h3>{name}</h3>
        {mark}
      </header>
      <b className={cx(textStyles.name, keyDetailStyles.nodeTitle)}>{title}</b>
      {children}
      {action}
    </article>
  )
}

function Wire({ word, reach }: { readonly word: string; readonly reach: Reach }) {
  return (
    <span className={reach === 'open' ? keyDetailStyles.wire : cx(keyDetailStyles.wire, keyDetailStyles[reach])} aria-hidden="true">
      <em>{word}</em>
      <Icon name="chevron-right" size={14} />
    </span>
  )
}

const held = (
  <State tone="ok" icon="check">
    <span className={textStyles.screenReaderOnly}>{keysText.inPlace}</span>
  </State>
)

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function AgentLeg({ agent, live, onGrant }: { readonly agent: KeySummary['agent']; readonly live: boolean; readonly onGrant: () => void }) {
  const reach: Reach = agent === null ? 'shut' : agent.granted === true ? 'open' : 'weak'
  const word = agent === null ? keysText.none : agent.granted === null ? keysText.notGiven : keysText.noGrant
  return (
    <Leg
      icon="bot"
      name={keysText.agent}
      reach={reach}
      mark={reach === 'open' ? held : <Chip tone={reach === 'weak' ? 'warn' : 'neutral'}>{word}</Chip>}
      title={
        agent === null ? (
          keysText.noTradingAgent
        ) : agent.address === null ? (
          keysText.addressNotGiven
        ) : (
          <span className={keyDetailStyles.nodeId} title={agent.address}>
            <Identicon address={agent.address} />
            <code>{shorten(agent.address)}</code>
          </span>
        )
      }
      action={
        live && reach !== 'open' ? (
          <Button size="xs" icon="pen" onClick={onGrant}>
            {agent === null ? keysText.createAgent : keysText.signGrant}
          </Button>
        ) : null
      }
    >
      <p className={keyDetailStyles.nodeText}>{reach === 'open' ? keysText.agentTrades : keysText.agentCannotTrade}</p>
    </Leg>
  )
}

function ExecutorLeg({
  executor,
  live,
  reach,
  onBind,
}: {
  readonly executor: string | null
  readonly live: boolean
  readonly reach: Reach
  readonly onBind: () => void
}) {
  return (
    <Leg
      icon="chip"
      name={keysText.executor}
      reach={reach}
      mark={
        reach === 'open' ? held : <Chip tone={reach === 'weak' ? 'warn' : 'neutral'}>{executor === null ? keysText.notBound : keysText.waitingForGrant}</Chip>
      }
      title={executor === null ? keysText.noExecutor : <span title={executor}>{shorten(executor, 12, 6)}</span>}
      action={
        live ? (
          <Button size="xs" onClick={onBind}>
            {executor === null ? keysText.bindExecutor : keysText.change}
          </Button>
        ) : null
      }
    >
      <p className={keyDetailStyles.nodeText}>{executor === null ? keysText.executorMissing : keysText.executorSubmits}</p>
    </Leg>
  )
}

interface MapProps {
  readonly entry: KeySummary
  readonly wallet: string | null
  readonly onGrant: () => void
  readonly onBind: () => void
  readonly onPay: () => void
}

/** Shows step by step what a key can reach, from its secret to the wallet's money, and what a thief of the secret could do. */
export function AuthorityMap({ entry, wallet, onGrant, onBind, onPay }: MapProps) {
  const now = useNow(60_000)
  const authority: Authority = authorityOf(entry)
  const life = lifeOf(entry, now)
  const live = isLiveKey(entry)
  const list = entry.allowlist
  return (
    <Panel
      title={keysText.keyReach}
      end={<span className={textStyles.muted}>{live ? keysText.revokingRevokesAgent : keysText.reachesNothing}</span>}
      className={live ? undefined : keysStyles.gone}
    >
      <div className={keyDetailStyles.authorityMap}>
        <Leg
          icon="key"
          name={keysText.key}
          reach="open"
          mark={
            life.leftMs === null ? null : (
              <Chip tone={life.tone === 'quiet' ? 'neutral' : life.tone} {...(life.tone === 'quiet' ? {} : { icon: 'warn' as const })}>
                {leftText(life.leftMs)}
              </Chip>
            )
          }
          title={entry.label}
        >
          <dl>
            {entry.markedLabel === undefined ? null : (
              <Fact name={keysText.atTheService}>
                <span className={textStyles.cut} title={keysText.serviceNameHint}>
                  <VisibleText text={entry.markedLabel} />
                </span>
              </Fact>
            )}
            <Fact name={keysText.wallet}>
              {wallet === null ? (
                '—'
              ) : (
                <span className={keyDetailStyles.nodeId} title={wallet}>
                  <Identicon address={wallet} />
                  <code>{shorten(wallet)}</code>
                </span>
              )}
            </Fact>
            <Fact name={keysText.allowlist}>
              {list === null ? (
                '—'
              ) : list.length === 0 ? (
                <span className={textStyles.warn}>{keysText.anyAddress}</span>
              ) : (
                keysText.allowlistEntryCount(list.length)
              )}
            </Fact>
            <Fact name={keysText.expires}>
              <Time ms={entry.expiresAtMs} form="day" />
            </Fact>
          </dl>
        </Leg>
        <Wire word={keysText.wireMay} reach="open" />
        <Leg
          icon="shield"
          name={keysText.scopes}
          reach="open"
          mark={
            entry.scopes === null ? null : (
              <span className={panelStyles.count}>{keysText.scopesHeld(authority.powers.filter((power) => power.held).length)}</span>
            )
          }
          title={authority.title}
        >
          <ul className={keyDetailStyles.scopeList}>
            {authority.powers.map((power) => (
              <li key={power.text} className={power.held ? undefined : keyDetailStyles.no}>
                <Icon name={power.held ? 'check' : 'x'} size={12} />
                <span>{power.text}</span>
                <span className={textStyles.screenReaderOnly}>{power.held ? keysText.scopeGranted : keysText.scopeNotGranted}</span>
              </li>
            ))}
          </ul>
        </Leg>
        <Wire word={keysText.wireActsAs} reach={authority.agent} />
        <AgentLeg agent={entry.agent} live={live} onGrant={onGrant} />
        <Wire word={keysText.wireThrough} reach={authority.executor} />
        <ExecutorLeg executor={entry.executor} live={live} reach={authority.executor} onBind={onBind} />
        <Wire word={keysText.wirePaidBy} reach={authority.tradesAlone ? 'open' : 'shut'} />
        <Leg
          icon="coins"
          name={keysText.paymentTitle}
          reach={authority.tradesAlone ? 'open' : 'shut'}
          mark={null}
          title={keysText.paidByWallet}
          action={
            live ? (
              <Button size="xs" onClick={onPay}>
                {keysText.preparePayment}
              </Button>
            ) : null
          }
        >
          <p className={keyDetailStyles.nodeText}>{keysText.paymentByTransaction}</p>
        </Leg>
      </div>
      {live ? (
        <div className={keyDetailStyles.keyDetailThief}>
          <div>
            <h3>{keysText.secretHolderCould}</h3>
            <ul>
              {authority.thief.map(({ text, worst }) => (
                <li key={text} className={worst ? keyDetailStyles.worst : undefined}>
                  <Icon name={worst ? 'warn' : 'chevron-right'} size={14} />
                  {text}
                </li>
              ))}
            </ul>
          </div>
          <div>
            <h3>{keysText.secretAloneCannot}</h3>
            <ul>
              {authority.not.map((text) => (
                <li key={text}>
                  <Icon name="x" size={14} />
                  {text}
                </li>
              ))}
            </ul>
          </div>
        </div>
      ) : null}
    </Panel>
  )
}
