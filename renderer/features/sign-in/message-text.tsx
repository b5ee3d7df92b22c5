import type { ReactNode } from 'react'
import type { ChallengeView } from '../../../shared/ipc/keys/session.ts'
import { Icon } from '../../kit/icons/icon.tsx'
import { messagePieces, type Piece } from './message-pieces.ts'

function drawn(pieces: readonly Piece[]): readonly ReactNode[] {
  return pieces.map((piece, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: a piece has no identity but its place
    if (piece.type === 'text') return <span key={index}>{piece.text}</span>
    if (piece.type === 'hidden') {
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: a piece has no identity but its place
        <b key={index} className="hidden-char" title="A character that cannot be seen">
          {piece.text}
        </b>
      )
    }
    return (
      <mark key={`mark-${piece.number}`} className={piece.verdict === 'fail' ? 'bad' : undefined}>
        <em aria-hidden="true">{piece.number}</em>
        {drawn(piece.inside)}
      </mark>
    )
  })
}

/** The text exactly as received, with the places that were checked. Text nodes only: nothing in it can be markup. */
export function MessageText({ challenge }: { readonly challenge: ChallengeView }) {
  return (
    <section className="msg" aria-label="The message">
      <h3>
        <Icon name="doc" size={14} />
        The message
        <span>{challenge.bytes} bytes, plain text</span>
      </h3>
      <pre>{drawn(messagePieces(challenge.message, challenge.checks))}</pre>
    </section>
  )
}
