import { Fragment, useId, useState } from 'react'
import type { PhoneRequest } from '../../../shared/ipc/host/phone.ts'
import { failureOf } from '../../ipc/desk-failure.ts'
import { useDeskCommand } from '../../ipc/use-desk.ts'
import { Button } from '../../kit/button.tsx'
import { Icon, Logo } from '../../kit/icons/icon.tsx'
import { TabPanel, Tabs } from '../../kit/layout/tabs.tsx'
import { shorten } from '../../kit/short.ts'
import { Side } from '../../kit/side.tsx'
import { CountdownRing } from '../../kit/time/countdown-ring.tsx'
import { failureText } from '../../text/failure-text.ts'

const questions: Readonly<Record<PhoneRequest['kind'], string>> = {
  pairing: 'wants to connect',
  message: 'asks you to sign',
  typed_data: 'asks you to sign',
  transaction: 'asks you to send',
  switch_chain: 'asks for another network',
}

/** "Long BTC-PERP" with its arrow; anything else as it stands. */
function Line({ text }: { readonly text: string }) {
  const side = /^(Long|Short)\b\s*(.*)$/i.exec(text)
  if (side === null) return <span className="name">{text}</span>
  return (
    <>
      <Side side={side[1]?.toLowerCase() === 'short' ? 'short' : 'long'} />
      <span className="name">{side[2]}</span>
    </>
  )
}

/** "25,000.00 USDC" with its unit smaller. */
function Big({ text }: { readonly text: string }) {
  const amount = /^([+−-]?[\d,.]+)\s+(\S+)$/.exec(text)
  if (amount === null) return text
  return (
    <>
      {amount[1]} <span>{amount[2]}</span>
    </>
  )
}

/** Groups a digest as a hardware wallet would: the first and last eight digits strong. */
function Digest({ digest }: { readonly digest: string }) {
  return (
    <p className="dg">
      <span>Digest</span>
      <code title={digest}>
        <b>{digest.slice(0, 10)}</b> {digest.slice(10, 18)} … <b>{digest.slice(-8)}</b>
      </code>
    </p>
  )
}

/** One request with its own reading of it, the raw message, the digest, and the two answers. */
export function PhoneRequestCard({ request, more }: { readonly request: PhoneRequest; readonly more: number }) {
  const id = useId()
  const approve = useDeskCommand('phone.approve')
  const reject = useDeskCommand('phone.reject')
  const [tab, setTab] = useState<'fields' | 'raw'>(request.fields.length > 0 ? 'fields' : 'raw')
  const busy = approve.isPending || reject.isPending || approve.isSuccess || reject.isSuccess
  const [first = '', second, ...others] = request.headline
  const failed = approve.error ?? reject.error
  return (
    <>
      <main>
        <div className="from">
          <span className="fl">
            <Logo />
          </span>
          <div className="grow">
            <h1>
              {request.peerName} {questions[request.kind]}
            </h1>
            <p>{request.kind === 'pairing' ? request.peerUrl : 'Paired on this computer'}</p>
          </div>
          <CountdownRing untilMs={request.expiresAtMs} totalMs={request.expiresAtMs - request.atMs} />
        </div>
        {request.headline.length === 0 ? null : (
          <section className="sum" aria-label="Summary">
            <p className="sum-1">
              <Line text={first} />
            </p>
            {second === undefined ? null : (
              <p className={/^[+−-]?[\d,.]+\s+\S+$/.test(second) ? 'amt' : 'at'}>
                <Big text={second} />
              </p>
            )}
            {others.map((line) => (
              <p className="at" key={line}>
                {line}
              </p>
            ))}
          </section>
        )}
        {request.fields.length === 0 ? (
          <pre className="raw">{request.message ?? request.raw}</pre>
        ) : (
          <>
            <Tabs
              id={id}
              label="What is shown"
              look="segments"
              value={tab}
              onChange={setTab}
              tabs={[
                { value: 'fields', label: `Fields, ${request.fields.length}` },
                { value: 'raw', label: 'Raw message' },
              ]}
            />
            <TabPanel id={id} value={tab} className="fl-w">
              {tab === 'fields' ? (
                <dl className="fl-l">
                  {request.fields.map((field) => (
                    <Fragment key={field.name}>
                      <div>
                        <dt>{field.name}</dt>
                        <dd title={field.raw}>
                          {/^0x[0-9a-fA-F]{40,}$/.test(field.text) ? <code className="b">{shorten(field.text)}</code> : field.text}
                          {field.raw === field.text || field.raw.length > 24 ? null : <code>{field.raw}</code>}
                        </dd>
                      </div>
                    </Fragment>
                  ))}
                </dl>
              ) : (
                <pre className="raw">{request.message ?? request.raw}</pre>
              )}
            </TabPanel>
          </>
        )}
      </main>
      <footer>
        {request.digest === null ? null : <Digest digest={request.digest} />}
        {failed === null ? null : (
          <p className="ph-failed" role="alert">
            {failureText(failureOf(failed)).title}
          </p>
        )}
        <div className="two">
          <Button busy={reject.isPending} disabled={busy && !reject.isPending} onClick={() => reject.mutate({ id: request.id })}>
            Reject
          </Button>
          <Button variant="primary" busy={approve.isPending} disabled={busy && !approve.isPending} onClick={() => approve.mutate({ id: request.id })}>
            {approve.isPending ? null : <Icon name="check" />}
            Approve
          </Button>
        </div>
        {more > 0 ? <p className="ph-more">{more === 1 ? '1 more waits' : `${more} more wait`}</p> : null}
        <span className="home" aria-hidden="true" />
      </footer>
    </>
  )
}
