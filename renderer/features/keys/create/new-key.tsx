import { useCallback, useEffect, useState } from 'react'
import type { Failure } from '../../../../shared/ipc/failure.ts'
import type { KeyDraft, KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Button } from '../../../kit/button.tsx'
import { CopyButton } from '../../../kit/copy-button.tsx'
import { cx } from '../../../kit/cx.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Link, useNavigate } from '../../../kit/layout/navigation.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import panelStyles from '../../../kit/layout/panel.module.css'
import { Row, Rows } from '../../../kit/layout/panel.tsx'
import { useToast } from '../../../kit/overlay/toast.tsx'
import textStyles from '../../../kit/text.module.css'
import { Time, useNow } from '../../../kit/time/time.tsx'
import { CodeId } from '../../../kit/visible-text.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { useNaming } from '../../../parts/name-offer.tsx'
import { useSigning } from '../../../signing/sheet/use-signing.ts'
import { keysText } from '../../../text/en/keys.en.tsx'
import { GrantPanel, GrantPreview } from '../agents/grant-panel.tsx'
import { draftMessage, GrantSheet, newKeyGrant } from '../agents/grant-sheet.tsx'
import styles from '../keys.module.css'
import { initialNewKey, kindOf, type NewKeyState, readNewKey, stateOf } from './new-key-form.ts'
import { PurposeForm } from './purpose-form.tsx'
import { CustomPreview } from './scope-picker.tsx'

const grantSteps = [keysText.purpose, keysText.authority, keysText.sign, keysText.secret] as const
const customSteps = [keysText.purpose, keysText.secret] as const

function Steps({ steps, at }: { readonly steps: readonly string[]; readonly at: number }) {
  return (
    <ol className={styles.wizardSteps} aria-label={keysText.steps}>
      {steps.map((name, index) => (
        <li key={name} className={index < at ? styles.done : index === at ? styles.now : undefined} aria-current={index === at ? 'step' : undefined}>
          <span>{index < at ? <Icon name="check" size={12} /> : index + 1}</span>
          {name}
        </li>
      ))}
    </ol>
  )
}

/**
 * The wizard that creates every kind of key. The user chooses purpose and scopes; the new key's secret then goes into the keychain.
 * For a bot-ready key, the user also reads its grant in words and signs it once.
 */
export function NewKey() {
  const navigate = useNavigate()
  const saved = useIpcQuery('keys.draft', {})
  const list = useIpcQuery('keys.list', {})
  const prepare = useIpcCommand('keys.prepare')
  const create = useIpcCommand('keys.createCustom')
  const leave = useIpcCommand('keys.leave')
  const seenAddress = useIpcQuery('keys.seenAddress', {})
  const [edited, setEdited] = useState<Partial<NewKeyState>>({})
  const [pressed, setPressed] = useState(false)
  const [made, setMade] = useState<KeySummary | null>(null)
  const onCreated = useCallback((key: KeySummary) => setMade(key), [])
  const grant = useSigning(newKeyGrant, onCreated)

  // The main process deletes an expired draft. Keep it here, so that the user can prepare the same draft again.
  const now = useNow()
  const [seen, setSeen] = useState<KeyDraft | null>(null)
  useEffect(() => {
    if (saved.data != null) setSeen(saved.data)
  }, [saved.data])
  const draft = saved.data ?? (seen !== null && seen.expiresAtMs <= now ? seen : null)
  const state = draft === null ? { ...initialNewKey(seenAddress.data ?? null), ...edited } : stateOf(draft.request)
  const keys = list.data?.keys ?? []
  const check = readNewKey(state, draft === null ? keys : [], seenAddress.data?.address ?? null)
  const listFailure = list.data === undefined && list.error !== null ? failureOf(list.error) : null
  const missing = listFailure?.kind === 'no_wallet' || listFailure?.kind === 'sign_in_required' ? listFailure.kind : null
  const failed = prepare.error ?? create.error
  const failure = failed === null ? null : failureOf(failed)
  const custom = draft === null && check.kind === 'custom' && made === null

  const ask = () => {
    setPressed(true)
    const wanted = check.request
    if (wanted === null || missing !== null) return
    if (wanted.kind === 'bot_ready') prepare.mutate(wanted.request)
    else create.mutate(wanted.request, { onSuccess: setMade })
  }
  const change = (after?: () => void) => {
    if (draft === null) {
      after?.()
      return
    }
    setEdited(state)
    leave.mutate(
      { draftId: draft.id },
      {
        onSuccess: () => {
          setSeen(null)
          after?.()
        },
      },
    )
  }
  const naming = useNaming(ask)
  const renew = () => draft !== null && prepare.mutate(draft.request)
  const signed = draft?.state === 'signed' || draft?.state === 'unknown'
  const at = made !== null ? 3 : grant.open !== null || signed ? 2 : draft !== null ? 1 : 0
  const twoSteps = custom || (made !== null && create.data !== undefined)
  const full = list.data !== undefined && list.data.active !== null && list.data.active >= list.data.limit
  const hint = !pressed
    ? null
    : check.wrongEntries > 0
      ? keysText.correctAddressesFirst(check.wrongEntries)
      : check.wrongQuotas > 0
        ? keysText.correctLimitsFirst(check.wrongQuotas)
        : (check.label ?? check.days ?? check.scopes)
  const summary = (
    <>
      {full ? (
        <Note tone="warn" title={keysText.keysActive(list.data?.limit ?? 10)}>
          {keysText.keyLimitReached}
        </Note>
      ) : null}
      {failure === null ? null : <FailureNote failure={failure} naming={naming} />}
    </>
  )
  return (
    <div className={cx(panelStyles.page, styles.newKeyPage)}>
      <div className={panelStyles.pageHead}>
        <span className={panelStyles.crumb}>
          <Link to="keys">{keysText.keys}</Link>
          <Icon name="chevron-right" />
          <h1>{kindOf(state) === 'bot_ready' ? keysText.newBotReadyKey : keysText.newKey}</h1>
        </span>
        <Steps steps={twoSteps ? customSteps : grantSteps} at={twoSteps ? (made === null ? 0 : 1) : at} />
      </div>
      {made !== null ? (
        <SecretStep made={made} onStored={setMade} />
      ) : (
        <>
          <PurposeForm
            state={state}
            check={check}
            draft={draft}
            pressed={pressed}
            note={missing === null ? null : <FirstNote missing={missing} />}
            changing={leave.isPending}
            seen={seenAddress.data ?? null}
            knownQuotas={[...new Set(keys.flatMap((key) => key.quotas?.map(({ name }) => name) ?? []))]}
            onEdit={(edit) => {
              setEdited({ ...edited, ...edit })
              if (failure !== null) {
                prepare.reset()
                create.reset()
              }
            }}
            onSubmit={ask}
            onChange={() => change()}
            onLeave={() => change(() => navigate('keys'))}
          />
          {custom ? (
            <CustomPreview scopes={state.scopes} busy={create.isPending} ready={missing === null && !saved.isPending} hint={hint} onCreate={ask}>
              {summary}
            </CustomPreview>
          ) : draft === null ? (
            <GrantPreview
              may={[keysText.mayTradePositions, keysText.maySetTpSl, keysText.mayManageOrders]}
              busy={prepare.isPending}
              ready={missing === null && !saved.isPending}
              hint={hint}
              onPrepare={ask}
            >
              {summary}
            </GrantPreview>
          ) : signed ? (
            <LostGrant draft={draft} onCreated={onCreated} />
          ) : (
            <GrantPanel draft={draft} onSign={() => grant.start(draft)} onRenew={renew} renewing={prepare.isPending} failure={failure} />
          )}
        </>
      )}
      <GrantSheet grant={grant} message={draftMessage} after={keysText.keyCreatedAndStored} onPrepareAgain={renew} />
    </div>
  )
}

/** Shown if something is missing before a key can be created: a connected wallet, or a sign-in. */
function FirstNote({ missing }: { readonly missing: 'no_wallet' | 'sign_in_required' }) {
  const navigate = useNavigate()
  return missing === 'no_wallet' ? (
    <Note
      tone="accent"
      icon="phone"
      title={keysText.connectFirst}
      end={
        <Button size="xs" onClick={() => navigate('connect')}>
          {keysText.connectWallet}
        </Button>
      }
    >
      {keysText.connectFirstDetail}
    </Note>
  ) : (
    <Note
      tone="accent"
      icon="user"
      title={keysText.signInFirst}
      end={
        <Button size="xs" onClick={() => navigate('sign-in')}>
          {keysText.signIn}
        </Button>
      }
    >
      {keysText.signInFirstDetail}
    </Note>
  )
}

/** Shown if the grant was signed but the outcome is unknown. The user sends the same signature again, or looks for the key in the list. */
function LostGrant({ draft, onCreated }: { readonly draft: KeyDraft; readonly onCreated: (key: KeySummary) => void }) {
  const navigate = useNavigate()
  const create = useIpcCommand('keys.create')
  const lost = draft.state === 'unknown'
  return (
    <aside className={cx(panelStyles.panel, styles.grant)} aria-label={keysText.signedGrant}>
      <div className={cx(panelStyles.panelBody, styles.pad, styles.keyNotes)}>
        <Note tone="warn" icon={lost ? 'unknown' : 'pen'} title={lost ? keysText.creationResponseLost : keysText.signedNotSent}>
          <p>{lost ? keysText.creationResponseLostDetail : keysText.signedNotSentDetail}</p>
        </Note>
        <span className={styles.actions}>
          {/* An empty signature makes the main process send the one it stored. */}
          <Button
            variant="primary"
            icon="send"
            busy={create.isPending}
            onClick={() => create.mutate({ draftId: draft.id, signature: '' }, { onSuccess: onCreated })}
          >
            {keysText.sendAgain}
          </Button>
          <Button variant="ghost" onClick={() => navigate('keys')}>
            {keysText.openKeys}
          </Button>
        </span>
        {create.error === null ? null : <FailureNote failure={failureOf(create.error)} />}
      </div>
    </aside>
  )
}

/** Text that explains why the keychain refused a secret and what helps. `failure` is `null` before the first retry. */
function keychainWords(failure: Extract<Failure, { kind: 'keychain' }> | null): { readonly title: string; readonly text: string } {
  switch (failure?.code) {
    case undefined:
      return { title: keysText.storeBeforeQuit, text: keysText.storeBeforeQuitAdvice }
    case 'locked':
      return { title: keysText.keychainStillLocked, text: keysText.keychainStillLockedAdvice }
    case 'timeout':
      return { title: keysText.keychainNoResponse, text: keysText.keychainNoResponseAdvice }
    case 'unavailable':
      return { title: keysText.keychainMissing, text: keysText.keychainMissingAdvice }
    case 'invalid':
    case 'failed':
      return { title: keysText.keychainFailedAgain, text: keysText.keychainFailedAgainAdvice }
  }
}

/** Shown after a key was created: where its secret is, and what to do with it. The secret never reaches this window. */
function SecretStep({ made, onStored }: { readonly made: KeySummary; readonly onStored: (key: KeySummary) => void }) {
  const navigate = useNavigate()
  const toast = useToast()
  const copy = useIpcCommand('keys.copySecret')
  const store = useIpcCommand('keys.retryStore')
  const stored = made.secret === 'keychain'
  const failure = store.error === null ? null : failureOf(store.error)
  const words = keychainWords(failure?.kind === 'keychain' ? failure : null)
  const copySecret = () =>
    copy.mutate({ keyId: made.id }, { onSuccess: () => toast({ tone: 'ok', title: keysText.secretCopied, text: keysText.clipboardClears, action: null }) })
  return (
    <section className={cx(panelStyles.panel, styles.secretStep)} aria-label={keysText.secret}>
      <div className={stored ? styles.secretMark : cx(styles.secretMark, styles.warn)}>
        <Icon name={stored ? 'lock' : 'hourglass'} size={20} />
      </div>
      <div role="status">
        <h2>{stored ? keysText.secretStoredFor(made.label) : keysText.secretOnlyInMemory(made.label)}</h2>
      </div>
      <p className={textStyles.secondary}>{stored ? keysText.secretStoredDetail : keysText.secretOnlyInMemoryDetail}</p>
      {stored ? null : (
        <Note
          tone="warn"
          live
          title={words.title}
          end={
            <Button size="sm" variant="primary" icon="lock" busy={store.isPending} onClick={() => store.mutate({ keyId: made.id }, { onSuccess: onStored })}>
              {keysText.retryKeychain}
            </Button>
          }
        >
          {words.text}
        </Note>
      )}
      {failure === null || failure.kind === 'keychain' ? null : <FailureNote failure={failure} />}
      <Rows ruled className={styles.secretRows}>
        <Row name={keysText.key}>
          <CodeId id={made.id} />
          <CopyButton text={made.id} what={keysText.keyId} />
        </Row>
        <Row name={keysText.secret}>
          <code>{made.masked ?? 'SVC••••••••••••'}</code>
        </Row>
        <Row name={keysText.agent}>{made.agent?.granted === true ? keysText.granted : made.agent === null ? keysText.none : keysText.notGiven}</Row>
        <Row name={keysText.expires}>
          <Time ms={made.expiresAtMs} form="day" />
        </Row>
      </Rows>
      {copy.error === null ? null : <FailureNote failure={failureOf(copy.error)} />}
      <h3>{stored ? keysText.next : keysText.orKeepSecretYourself}</h3>
      {stored ? null : <p className={textStyles.secondary}>{keysText.copyBeforeQuit}</p>}
      <div className={styles.secretNext}>
        {stored && (made.scopes === null || made.scopes.includes('trade:prepare')) ? (
          <Button variant="primary" icon="trade" onClick={() => navigate('trade')}>
            {keysText.tradeWithKey}
          </Button>
        ) : null}
        <Button icon="copy" busy={copy.isPending} onClick={copySecret}>
          {stored ? keysText.copySecretForBot : keysText.copySecret}
        </Button>
        <Button icon="key" onClick={() => navigate(`keys/${made.id}`)}>
          {keysText.showKey}
        </Button>
        <Button variant="ghost" onClick={() => navigate('keys')}>
          {keysText.allKeys}
        </Button>
      </div>
    </section>
  )
}
