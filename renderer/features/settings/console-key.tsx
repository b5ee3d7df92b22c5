import { useState } from 'react'
import type { ConsoleKey } from '../../../shared/ipc/keys/keys.ts'
import { failureOf } from '../../ipc/desk-failure.ts'
import { useDeskCommand, useDeskQuery } from '../../ipc/use-desk.ts'
import { Button } from '../../kit/button.tsx'
import { ScopeChips } from '../../kit/chip.tsx'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import { Row, Rows } from '../../kit/layout/panel.tsx'
import { State } from '../../kit/layout/state.tsx'
import overlayStyles from '../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../kit/overlay/sheet.tsx'
import textStyles from '../../kit/text.module.css'
import { VisibleText } from '../../kit/visible-text.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import styles from './settings.module.css'

const readsOnly = ({ scopes }: NonNullable<ConsoleKey['key']>): boolean => scopes?.every((scope) => scope.endsWith(':read')) ?? false

/** What this app reads with, and the way to give it a key of its own. */
export function ConsoleRow() {
  const found = useDeskQuery('keys.console', {}).data
  const [open, setOpen] = useState(false)
  if (found === undefined) return null
  return (
    <>
      <Row name="Reads with">
        <span className={styles.settingsHost}>
          {found.key === null ? (
            <span className={textStyles.muted}>No key: markets by their public routes, no account</span>
          ) : (
            <>
              <VisibleText text={found.key.label} />
              <State tone={readsOnly(found.key) ? 'ok' : 'off'} icon={readsOnly(found.key) ? 'check' : 'key'}>
                {readsOnly(found.key) ? 'It may only read' : 'A key that may do more'}
              </State>
            </>
          )}
          <Button size="xs" onClick={() => setOpen(true)}>
            {found.state === 'own' ? 'Change' : 'Give it a key of its own'}
          </Button>
        </span>
      </Row>
      {open ? <ConsoleSheet found={found} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function ConsoleSheet({ found, onClose }: { readonly found: ConsoleKey; readonly onClose: () => void }) {
  const create = useDeskCommand('keys.createConsole')
  const use = useDeskCommand('keys.useForConsole')
  const navigate = useNavigate()
  const failure = create.error ?? use.error
  const kind = failure === null ? null : failureOf(failure).kind
  const others = found.choices.filter(({ id }) => found.state !== 'own' || id !== found.key?.id)
  const take = (keyId: string | null) => use.mutate({ keyId }, { onSuccess: onClose })
  return (
    <Sheet
      title="A key for reading"
      lead="This app reads the markets and your account with it. It can place, change and move nothing: whoever finds it sees your account and can do no more."
      icon="key"
      className={styles.consoleKey}
      onClose={onClose}
    >
      <div className={overlayStyles.sheetBody}>
        <Rows>
          <Row name="Label">Svc Desk console</Row>
          <Row name="Scopes">
            <ScopeChips scopes={['market:read', 'account:read']} />
          </Row>
          <Row name="Ends">in 90 days</Row>
          <Row name="Kept in">the system keychain; it counts among the 10 keys of your wallet</Row>
        </Rows>
        {others.length === 0 ? null : (
          <section className={styles.consoleOthers} aria-labelledby="console-others">
            <h3 id="console-others">Or use one that is here</h3>
            <ul>
              {others.map((key) => (
                <li key={key.id}>
                  <VisibleText text={key.label} />
                  {key.scopes === null ? null : <ScopeChips scopes={key.scopes} />}
                  <Button size="xs" busy={use.isPending && use.variables.keyId === key.id} onClick={() => take(key.id)} aria-label={`Read with ${key.label}`}>
                    Use it
                  </Button>
                </li>
              ))}
            </ul>
          </section>
        )}
        {failure === null ? null : <FailureNote failure={failureOf(failure)} />}
      </div>
      <SheetFoot
        verdict={
          found.state === 'own' ? (
            <Button variant="ghost" busy={use.isPending} onClick={() => take(null)}>
              Use none of its own
            </Button>
          ) : null
        }
      >
        <Button variant="ghost" kbd={['Esc']} onClick={onClose}>
          Cancel
        </Button>
        {kind === 'sign_in_required' || kind === 'no_wallet' ? (
          <Button variant="primary" icon="user" onClick={() => navigate(kind === 'no_wallet' ? 'connect' : 'sign-in')}>
            {kind === 'no_wallet' ? 'Connect wallet' : 'Sign in'}
          </Button>
        ) : (
          <Button variant="primary" icon="plus" busy={create.isPending} onClick={() => create.mutate({}, { onSuccess: onClose })}>
            Make the key
          </Button>
        )}
      </SheetFoot>
    </Sheet>
  )
}
