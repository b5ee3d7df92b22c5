import { useState } from 'react'
import type { ConsoleKey } from '../../../shared/ipc/keys/keys.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
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
import { settingsText } from '../../text/en/settings.en.tsx'
import styles from './settings.module.css'

const readsOnly = ({ scopes }: NonNullable<ConsoleKey['key']>): boolean => scopes?.every((scope) => scope.endsWith(':read')) ?? false

/** The key with which this app reads data, and a button to create a separate key for that. */
export function ConsoleRow() {
  const found = useIpcQuery('keys.console', {}).data
  const [open, setOpen] = useState(false)
  if (found === undefined) return null
  return (
    <>
      <Row name={settingsText.readsWith}>
        <span className={styles.settingsHost}>
          {found.key === null ? (
            <span className={textStyles.muted}>{settingsText.noKey}</span>
          ) : (
            <>
              <VisibleText text={found.key.label} />
              <State tone={readsOnly(found.key) ? 'ok' : 'off'} icon={readsOnly(found.key) ? 'check' : 'key'}>
                {readsOnly(found.key) ? settingsText.readOnlyKey : settingsText.keyCanDoMore}
              </State>
            </>
          )}
          <Button size="xs" onClick={() => setOpen(true)}>
            {found.state === 'own' ? settingsText.change : settingsText.createOwnKey}
          </Button>
        </span>
      </Row>
      {open ? <ConsoleSheet found={found} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function ConsoleSheet({ found, onClose }: { readonly found: ConsoleKey; readonly onClose: () => void }) {
  const create = useIpcCommand('keys.createConsole')
  const use = useIpcCommand('keys.useForConsole')
  const navigate = useNavigate()
  const failure = create.error ?? use.error
  const kind = failure === null ? null : failureOf(failure).kind
  const others = found.choices.filter(({ id }) => found.state !== 'own' || id !== found.key?.id)
  const take = (keyId: string | null) => use.mutate({ keyId }, { onSuccess: onClose })
  return (
    <Sheet title={settingsText.readOnlyKeyTitle} lead={settingsText.readOnlyKeyLead} icon="key" className={styles.consoleKey} onClose={onClose}>
      <div className={overlayStyles.sheetBody}>
        <Rows>
          <Row name={settingsText.label}>{settingsText.svcDeskConsole}</Row>
          <Row name={settingsText.scopes}>
            <ScopeChips scopes={['market:read', 'account:read']} />
          </Row>
          <Row name={settingsText.expires}>{settingsText.in90Days}</Row>
          <Row name={settingsText.storedIn}>{settingsText.storedInKeychain}</Row>
        </Rows>
        {others.length === 0 ? null : (
          <section className={styles.consoleOthers} aria-labelledby="console-others">
            <h3 id="console-others">{settingsText.useExistingKey}</h3>
            <ul>
              {others.map((key) => (
                <li key={key.id}>
                  <VisibleText text={key.label} />
                  {key.scopes === null ? null : <ScopeChips scopes={key.scopes} />}
                  <Button
                    size="xs"
                    busy={use.isPending && use.variables.keyId === key.id}
                    onClick={() => take(key.id)}
                    aria-label={settingsText.readWithKey(key.label)}
                  >
                    {settingsText.useKey}
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
              {settingsText.stopUsingOwnKey}
            </Button>
          ) : null
        }
      >
        <Button variant="ghost" kbd={[settingsText.esc]} onClick={onClose}>
          {settingsText.cancel}
        </Button>
        {kind === 'sign_in_required' || kind === 'no_wallet' ? (
          <Button variant="primary" icon="user" onClick={() => navigate(kind === 'no_wallet' ? 'connect' : 'sign-in')}>
            {kind === 'no_wallet' ? settingsText.connectWallet : settingsText.signIn}
          </Button>
        ) : (
          <Button variant="primary" icon="plus" busy={create.isPending} onClick={() => create.mutate({}, { onSuccess: onClose })}>
            {settingsText.createKey}
          </Button>
        )}
      </SheetFoot>
    </Sheet>
  )
}
