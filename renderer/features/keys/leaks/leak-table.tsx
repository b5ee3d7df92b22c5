import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import type { LeakFinding } from '../../../../shared/ipc/keys/leaks.ts'
import { useDeskCommand } from '../../../ipc/use-desk.ts'
import { Button, IconButton } from '../../../kit/button.tsx'
import { Chip } from '../../../kit/chip.tsx'
import { CopyButton } from '../../../kit/copy-button.tsx'
import { Link } from '../../../kit/layout/navigation.tsx'
import { State } from '../../../kit/layout/state.tsx'
import { HeadCell, Table } from '../../../kit/layout/table.tsx'
import { useToast } from '../../../kit/overlay/toast.tsx'
import { VisibleText } from '../../../kit/visible-text.tsx'
import { findingState, kindText, sureWords } from './leak-words.ts'

const ownerWords: Readonly<Record<LeakFinding['owner'], string>> = {
  key: 'A key of yours',
  sign_in: 'Your own sign-in',
  other_wallet: 'Of another wallet of yours',
  unknown: 'Not held on this computer',
}

/** Whose it is: the key by its name, or what can be said without one. */
function Whose({ finding }: { readonly finding: LeakFinding }) {
  const { key, owner } = finding
  if (key !== null)
    return (
      <span className="k-n name">
        <Link to={`keys/${key.id}`} title={key.label}>
          {key.label}
        </Link>
      </span>
    )
  return <span className="name">{ownerWords[owner]}</span>
}

interface RowProps {
  readonly finding: LeakFinding
  readonly entry: KeySummary | undefined
  readonly onRevoke: (finding: LeakFinding) => void
}

function Row({ finding, entry, onRevoke }: RowProps) {
  const toast = useToast()
  const show = useDeskCommand('leaks.showFile')
  const { folder, name, path, line, column, ignored, mask, sure, where, object } = finding
  const state = findingState(finding, entry)
  return (
    <tr>
      <td className="lk-place">
        <span>
          <code className="cut" title={where === 'file' ? `${path}, line ${line}, column ${column}` : path}>
            <VisibleText text={name === '' ? folder : name} />
            {where === 'file' ? `:${line}` : ''}
          </code>
          {where === 'name' ? <Chip title="Whoever sees the name has it">In the name</Chip> : null}
          {object === null ? null : <Chip title={`git log --all --find-object=${object}`}>History, {object.slice(0, 8)}</Chip>}
          {ignored ? <Chip title="A .gitignore names it">Ignored</Chip> : null}
        </span>
        <span className="sub cut" title={folder}>
          <VisibleText text={folder} />
        </span>
      </td>
      <td>
        <Whose finding={finding} />
        <span className="sub">
          {kindText(finding)} <code>{mask}</code>
        </span>
      </td>
      <td>
        {sureWords[sure].word}
        <span className="sub">{sureWords[sure].why}</span>
      </td>
      <td>
        <State tone={state.tone} icon={state.icon}>
          {state.word}
        </State>
      </td>
      <td className="acts">
        {state.live ? (
          <Button size="xs" variant="danger" icon="trash" onClick={() => onRevoke(finding)}>
            Revoke
          </Button>
        ) : null}
        <IconButton
          icon="folder"
          size="xs"
          label="Show file"
          busy={show.isPending}
          onClick={() =>
            show.mutate(
              { findingId: finding.id },
              {
                onError: () => toast({ tone: 'warn', title: 'The file is not there any more', text: 'It was moved or removed since the scan.', action: null }),
              },
            )
          }
        />
        <CopyButton text={path} what="path" />
      </td>
    </tr>
  )
}

interface LeakTableProps {
  readonly findings: readonly LeakFinding[]
  readonly keys: readonly KeySummary[]
  readonly onRevoke: (finding: LeakFinding) => void
}

/** Each place at which a secret stands: whose it is, how sure that is, what it is worth, and what to do. */
export function LeakTable({ findings, keys, onRevoke }: LeakTableProps) {
  return (
    <Table label="Found keys" className="lk-t">
      <thead>
        <tr>
          <HeadCell>Where</HeadCell>
          <HeadCell>Whose</HeadCell>
          <HeadCell>How sure</HeadCell>
          <HeadCell>Now</HeadCell>
          <HeadCell>
            <span className="sr">Actions</span>
          </HeadCell>
        </tr>
      </thead>
      <tbody>
        {findings.map((finding) => (
          <Row key={finding.id} finding={finding} entry={keys.find(({ id }) => id === finding.key?.id)} onRevoke={onRevoke} />
        ))}
      </tbody>
    </Table>
  )
}
