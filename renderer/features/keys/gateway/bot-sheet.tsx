import { type ReactNode, useRef, useState } from 'react'
import type { Scope } from '../../../../shared/api/scopes.ts'
import type { BotMode, BotPolicy, BotRow } from '../../../../shared/ipc/keys/gateway.ts'
import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { limitCount, noPolicy, type PolicyDraft, type PolicyPart, policyDraftOf, policyIssuesOf, policyOf, widened } from '../../../../shared/limits-draft.ts'
import { formIssueText } from '../../../../shared/text/form-text.ts'
import { minute } from '../../../../shared/time.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Button } from '../../../kit/button.tsx'
import { Checkbox } from '../../../kit/checkbox.tsx'
import controlsStyles from '../../../kit/controls.module.css'
import { cx } from '../../../kit/cx.ts'
import iconStyles from '../../../kit/icons/icon.module.css'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Field, Input } from '../../../kit/input.tsx'
import { Link, useNavigate } from '../../../kit/layout/navigation.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import { Row, Rows } from '../../../kit/layout/panel.tsx'
import { Segments } from '../../../kit/layout/tabs.tsx'
import overlayStyles from '../../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../../kit/overlay/sheet.tsx'
import { useToast } from '../../../kit/overlay/toast.tsx'
import textStyles from '../../../kit/text.module.css'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { topicAddress } from '../../../parts/help/help-link.tsx'
import { LimitFields, NumberLimit } from '../../../parts/limit-fields.tsx'
import { keysText } from '../../../text/en/keys.en.tsx'
import { inOrder, powers } from '../create/new-key-form.ts'
import { firstScopes, isForBots, modeWords, partNames, partWords, tokenDays } from './bot-words.ts'
import styles from './gateway.module.css'

interface PolicyProps {
  readonly draft: PolicyDraft
  readonly onChange: (change: Partial<PolicyDraft>) => void
}

const modes: readonly BotMode[] = ['observe', 'dry_run', 'live']

/** The mode and the limits of a bot. A bot that only reads shows no limits. */
function PolicyFields({ draft, onChange }: PolicyProps) {
  const issues = policyIssuesOf(draft)
  const said = (issue: (typeof issues)['hours']) => (issue === null ? undefined : formIssueText(issue))
  const policy = policyOf(draft)
  return (
    <>
      <fieldset className={styles.botGroup}>
        <legend className={controlsStyles.label}>{keysText.botMode}</legend>
        <Segments
          label={keysText.botMode}
          size="md"
          value={draft.mode}
          onChange={(mode) => onChange({ mode })}
          choices={modes.map((value) => ({ value, label: modeWords[value].word }))}
        />
        <p className={controlsStyles.help}>{modeWords[draft.mode].detail}</p>
      </fieldset>
      {draft.mode === 'observe' ? null : (
        <section className={styles.botLimits} aria-label={keysText.botLimits}>
          <h3>{keysText.botLimits}</h3>
          <p>{keysText.botLimitsLead}</p>
          {draft.mode === 'live' && policy !== null && limitCount(policy) === 0 ? (
            <Note tone="warn" title={keysText.liveWithoutLimits}>
              {keysText.liveWithoutLimitsDetail}
            </Note>
          ) : null}
          <LimitFields id="bot" draft={draft} issues={issues} lossHelp={keysText.botLossHelp} onChange={onChange}>
            <NumberLimit
              id="bot-open"
              label={keysText.botOpenValue}
              unit="USDC"
              value={draft.openNotional}
              issue={issues.openNotional}
              help={keysText.botOpenValueHelp}
              onChange={(openNotional) => onChange({ openNotional })}
            />
            <NumberLimit
              id="bot-rate"
              label={keysText.botOrderRate}
              unit=""
              value={draft.ordersPerMinute}
              issue={issues.ordersPerMinute}
              help={keysText.botOrderRateHelp}
              onChange={(ordersPerMinute) => onChange({ ordersPerMinute })}
            />
          </LimitFields>
          <fieldset className={styles.botGroup}>
            <legend className={controlsStyles.label}>{keysText.botSides}</legend>
            <Segments
              label={keysText.botSides}
              size="md"
              value={draft.sides}
              onChange={(sides) => onChange({ sides })}
              choices={[
                { value: 'both', label: keysText.bothSides },
                { value: 'long', label: keysText.longOnly },
                { value: 'short', label: keysText.shortOnly },
              ]}
            />
          </fieldset>
          <div className={styles.botGrid}>
            <Group name={keysText.botHours} error={said(issues.hours)} help={keysText.botHoursHelp}>
              <Input
                id="bot-from"
                className={styles.botTime}
                aria-label={keysText.hoursFrom}
                placeholder="00:00"
                value={draft.from}
                invalid={issues.hours !== null}
                onChange={(from) => onChange({ from })}
              />
              <Input
                id="bot-to"
                className={styles.botTime}
                aria-label={keysText.hoursTo}
                placeholder="24:00"
                value={draft.to}
                invalid={issues.hours !== null}
                onChange={(to) => onChange({ to })}
              />
            </Group>
            <Group name={keysText.botSilence} error={said(issues.silence)} help={keysText.botSilenceHelp}>
              <Input
                id="bot-silence"
                className={styles.botTime}
                aria-label={keysText.silenceAfter}
                numeric
                inputMode="numeric"
                unit={keysText.secondsUnit}
                placeholder={keysText.noBotLimit}
                value={draft.silenceSeconds}
                invalid={issues.silence !== null}
                onChange={(silenceSeconds) => onChange({ silenceSeconds })}
              />
              {draft.silenceSeconds.trim() === '' ? null : (
                <Checkbox
                  checked={draft.silenceDoes === 'cancel_and_close'}
                  onChange={(closes) => onChange({ silenceDoes: closes ? 'cancel_and_close' : 'cancel' })}
                >
                  {keysText.silenceClosesToo}
                </Checkbox>
              )}
            </Group>
          </div>
        </section>
      )}
    </>
  )
}

interface GroupProps {
  readonly name: string
  readonly error: string | undefined
  readonly help: string
  readonly children: ReactNode
}

/** Several controls under one name, with their help or error below. */
function Group({ name, error, help, children }: GroupProps) {
  return (
    <fieldset className={styles.botGroup}>
      <legend className={controlsStyles.label}>{name}</legend>
      <div className={styles.botPair}>{children}</div>
      <p className={error === undefined ? controlsStyles.help : cx(controlsStyles.help, controlsStyles.error)} role={error === undefined ? undefined : 'alert'}>
        {error === undefined ? null : <Icon name="stop" />}
        <span>{error ?? help}</span>
      </p>
    </fieldset>
  )
}

/** Changes the mode and the limits of a bot. A change that lets the bot do more shows what changes and asks. */
export function PolicySheet({ bot, onClose }: { readonly bot: BotRow; readonly onClose: () => void }) {
  const toast = useToast()
  const save = useIpcCommand('gateway.setPolicy')
  const [draft, setDraft] = useState(() => policyDraftOf(bot.policy))
  const [asks, setAsks] = useState(false)
  const policy = policyOf(draft)
  const wider = policy === null ? [] : widened(bot.policy, policy)
  const keep = () => {
    if (policy === null) return
    save.mutate(
      { botId: bot.id, policy },
      {
        onSuccess: () => {
          toast({ tone: 'ok', title: keysText.policySaved(bot.label), text: keysText.policySavedDetail, action: null })
          onClose()
        },
      },
    )
  }
  const press = () => {
    if (policy === null) return
    if (wider.length === 0) keep()
    else setAsks(true)
  }
  return (
    <Sheet title={keysText.policyOfBot(bot.label)} icon="shield" onClose={onClose} className={styles.botSheet}>
      <form
        className={overlayStyles.sheetBody}
        onSubmit={(event) => {
          event.preventDefault()
          press()
        }}
      >
        <PolicyFields draft={draft} onChange={(change) => setDraft((before) => ({ ...before, ...change }))} />
        {save.error === null || asks ? null : <FailureNote failure={failureOf(save.error)} />}
        <button type="submit" hidden disabled={policy === null} />
      </form>
      <SheetFoot>
        <Button onClick={onClose} kbd={[keysText.esc]}>
          {keysText.cancel}
        </Button>
        <Button variant="primary" busy={save.isPending && !asks} disabled={policy === null} onClick={press}>
          {keysText.savePolicy}
        </Button>
      </SheetFoot>
      {asks && policy !== null ? (
        <WiderSheet bot={bot} after={policy} parts={wider} busy={save.isPending} onClose={() => setAsks(false)} onConfirm={keep}>
          {save.error === null ? null : <FailureNote failure={failureOf(save.error)} />}
        </WiderSheet>
      ) : null}
    </Sheet>
  )
}

interface WiderProps {
  readonly bot: BotRow
  readonly after: BotPolicy
  readonly parts: readonly PolicyPart[]
  readonly busy: boolean
  readonly onClose: () => void
  readonly onConfirm: () => void
  readonly children: ReactNode
}

/** Shows what a bot may do more after a change, before and after, and asks. */
function WiderSheet({ bot, after, parts, busy, onClose, onConfirm, children }: WiderProps) {
  const markets = useIpcQuery('markets.list', {}).data?.markets
  const keep = useRef<HTMLButtonElement>(null)
  const symbolOf = (pairId: number) => markets?.find(({ id }) => id === pairId)?.symbol ?? null
  return (
    <Sheet title={keysText.allowMoreTitle(bot.label)} icon="warn" tone="danger" onClose={onClose} initialFocus={keep} alert className={styles.widerSheet}>
      <div className={overlayStyles.sheetBody}>
        <p className={textStyles.secondary}>{keysText.allowMoreLead}</p>
        <Rows ruled className={styles.botWider}>
          {parts.map((part) => (
            <Row key={part} name={partNames[part]}>
              <span className={textStyles.was}>{partWords(part, bot.policy, symbolOf)}</span>
              <Icon name="arrow-right" size={14} className={iconStyles.dim} />
              <span className={textStyles.screenReaderOnly}> {keysText.becomesWord} </span>
              <b>{partWords(part, after, symbolOf)}</b>
            </Row>
          ))}
        </Rows>
        {children}
      </div>
      <SheetFoot>
        <Button ref={keep} onClick={onClose} kbd={[keysText.esc]}>
          {keysText.keepAsItIs}
        </Button>
        <Button variant="danger-fill" busy={busy} onClick={onConfirm}>
          {keysText.allowMore}
        </Button>
      </SheetFoot>
    </Sheet>
  )
}

const noKeys: readonly KeySummary[] = []
const firstPolicy: PolicyDraft = policyDraftOf({ mode: 'observe', ...noPolicy })
const firstDays = '90'

interface AddProps {
  readonly bots: readonly BotRow[]
  /** The address that bots use; null while the gateway is off. */
  readonly hostUrl: string | null
  readonly onClose: () => void
}

/** Adds a bot. The main process shows its token once, in a window for secrets; this page never gets it. */
export function AddBotSheet({ bots, hostUrl, onClose }: AddProps) {
  const navigate = useNavigate()
  const toast = useToast()
  const first = useRef<HTMLInputElement>(null)
  const list = useIpcQuery('keys.list', {}, { every: minute })
  const add = useIpcCommand('gateway.addBot')
  const [label, setLabel] = useState('')
  const [keyId, setKeyId] = useState<string | null>(null)
  const [picked, setPicked] = useState<readonly Scope[] | null>(null)
  const [days, setDays] = useState(firstDays)
  const [draft, setDraft] = useState(firstPolicy)
  const [pressed, setPressed] = useState(false)
  const keys = (list.data?.keys ?? noKeys).filter(isForBots)
  const key = keys.find(({ id }) => id === keyId) ?? keys[0]
  const offered = powers.filter(({ scope }) => key?.scopes?.includes(scope) === true)
  const scopes = (picked ?? firstScopes(offered.map(({ scope }) => scope))).filter((scope) => offered.some((one) => one.scope === scope))
  const expiresInDays = tokenDays(days)
  const policy = policyOf(draft)
  const name = label.trim()
  const isReady = name !== '' && key !== undefined && scopes.length > 0 && expiresInDays !== undefined && policy !== null
  const press = () => {
    setPressed(true)
    if (!isReady || add.isPending) return
    add.mutate(
      { label: name, keyId: key.id, scopes: inOrder(scopes), expiresInDays, policy },
      {
        onSuccess: () => {
          toast({ tone: 'ok', title: keysText.botAdded(name), text: keysText.tokenInWindow, action: null })
          onClose()
        },
      },
    )
  }
  const unread = list.data === undefined && list.error !== null ? failureOf(list.error) : null
  return (
    <Sheet title={keysText.addBot} lead={keysText.addBotLead} icon="bot" onClose={onClose} initialFocus={first} className={styles.botSheet}>
      <form
        className={overlayStyles.sheetBody}
        onSubmit={(event) => {
          event.preventDefault()
          press()
        }}
      >
        <Note tone="neutral" title={keysText.botChanges}>
          {keysText.botChangesTo(hostUrl === null ? keysText.botChangesUrl : <code>{hostUrl}</code>)}{' '}
          <Link to={topicAddress('keys/gateway')} className={textStyles.link}>
            {keysText.readAboutBots}
          </Link>
        </Note>
        {unread === null ? null : <KeysUnread failure={unread} />}
        {list.data !== undefined && keys.length === 0 ? (
          <Note
            tone="warn"
            title={keysText.noKeyForBots}
            end={
              <Button size="xs" onClick={() => navigate('keys/new')}>
                {keysText.newKey}
              </Button>
            }
          >
            {keysText.noKeyForBotsDetail}
          </Note>
        ) : null}
        <div className={styles.botGrid}>
          <Field
            id="bot-label"
            label={keysText.botName}
            error={pressed && name === '' ? keysText.nameTheBot : undefined}
            warning={bots.some((bot) => bot.label === name) ? keysText.botNameTaken : undefined}
          >
            <Input id="bot-label" ref={first} maxLength={64} value={label} invalid={pressed && name === ''} onChange={setLabel} />
          </Field>
          <Field
            id="bot-days"
            label={keysText.tokenLasts}
            error={expiresInDays === undefined ? keysText.typeTokenDays : undefined}
            help={keysText.tokenLastsHelp}
          >
            <Input
              id="bot-days"
              numeric
              inputMode="numeric"
              unit={keysText.daysUnit}
              placeholder={keysText.never}
              value={days}
              invalid={expiresInDays === undefined}
              onChange={setDays}
            />
          </Field>
        </div>
        {key === undefined ? null : (
          <>
            <Field id="bot-key" label={keysText.botKey}>
              <select
                id="bot-key"
                className={cx(controlsStyles.input, styles.botSelect)}
                value={key.id}
                onChange={(event) => {
                  setKeyId(event.target.value)
                  setPicked(null)
                }}
              >
                {keys.map((one) => (
                  <option key={one.id} value={one.id}>
                    {keys.some((other) => other.id !== one.id && other.label === one.label) ? `${one.label} (${one.id})` : one.label}
                  </option>
                ))}
              </select>
            </Field>
            <fieldset className={styles.botGroup}>
              <legend className={controlsStyles.label}>{keysText.scopes}</legend>
              <div className={styles.botScopes}>
                {offered.map(({ scope, name: power, detail }) => (
                  <Checkbox
                    key={scope}
                    checked={scopes.includes(scope)}
                    onChange={(on) => setPicked(inOrder(on ? [...scopes, scope] : scopes.filter((one) => one !== scope)))}
                  >
                    <span title={`${scope}\n${detail}`}>{power}</span>
                  </Checkbox>
                ))}
              </div>
              {scopes.length > 0 ? null : (
                <p className={cx(controlsStyles.help, controlsStyles.error)} role="alert">
                  <Icon name="stop" />
                  <span>{offered.length === 0 ? keysText.scopesOfKeyUnknown : keysText.chooseBotScope}</span>
                </p>
              )}
            </fieldset>
          </>
        )}
        <PolicyFields draft={draft} onChange={(change) => setDraft((before) => ({ ...before, ...change }))} />
        {add.error === null ? null : <FailureNote failure={failureOf(add.error)} />}
        <button type="submit" hidden disabled={policy === null} />
      </form>
      <SheetFoot>
        <Button onClick={onClose} kbd={[keysText.esc]}>
          {keysText.cancel}
        </Button>
        <Button variant="primary" icon="eye" busy={add.isPending} disabled={key === undefined || policy === null} onClick={press}>
          {keysText.showToken}
        </Button>
      </SheetFoot>
    </Sheet>
  )
}

/** Says why the keys cannot be read, and leads to the sign-in if one is missing. */
function KeysUnread({ failure }: { readonly failure: ReturnType<typeof failureOf> }) {
  const navigate = useNavigate()
  return (
    <FailureNote
      failure={failure}
      actions={
        failure.kind === 'sign_in_required' || failure.kind === 'no_wallet' ? (
          <Button size="xs" onClick={() => navigate(failure.kind === 'no_wallet' ? 'connect' : 'sign-in')}>
            {failure.kind === 'no_wallet' ? keysText.connectWallet : keysText.signIn}
          </Button>
        ) : undefined
      }
    />
  )
}
