import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** A certificate authority that computers do not trust by default, such as a company’s own. */
export interface Authority {
  /** Path of the authority’s own certificate (PEM). */
  readonly file: string
  issue(...names: string[]): Certificate
  remove(): void
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

export function createAuthority(): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'svc-desk-authority-'))
  const openssl = (...args: string[]) => void execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=A company', '-addext', 'keyUsage=critical,keyCertSign')
  return {
    file: join(folder, 'ca.pem'),
    issue: (...names) => {
      writeFileSync(join(folder, 'names'), `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}\n`)
      openssl('req', ...newKey, '-keyout', 'server.key', '-out', 'server.csr', '-subj', `/CN=${names[0]}`)
      openssl(
        'x509',
        '-req',
        '-in',
        'server.csr',
        '-CA',
        'ca.pem',
        '-CAkey',
        'ca.key',
        '-CAcreateserial',
        '-days',
        '2',
        '-extfile',
        'names',
        '-out',
        'server.pem',
      )
      return { key: readFileSync(join(folder, 'server.key'), 'utf8'), cert: readFileSync(join(folder, 'server.pem'), 'utf8') }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
