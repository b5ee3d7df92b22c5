import { execFile, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliveryVectors } from '../../../e2e/support/webhooks/delivery-vectors.ts'
import { type VerifierLanguage, verifiers } from '../../../shared/snippets/verifiers.ts'

const run = promisify(execFile)
const hex = (value: string | Uint8Array): string => Buffer.from(value).toString('hex')
const names = ['x-svc-event', 'x-svc-event-id', 'x-svc-timestamp', 'x-svc-signature'] as const
const lines = deliveryVectors
  .map(({ headers, body, secret, nowS }) =>
    [...names.map((name) => (name in headers ? hex(headers[name] ?? '') : '-')), hex(body), hex(secret), String(nowS)].join(' '),
  )
  .join('\n')

/** The environment for compilers. Tests use a home folder of their own, but compilers are installed under the user's real home folder. */
const env = { ...process.env, HOME: userInfo().homedir, LC_ALL: 'C.UTF-8', GOPROXY: 'off' }

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-desk-verifiers-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function takes(program: string, args: readonly string[], cwd = folder): Promise<void> {
  const going = run(program, [...args], { cwd, env })
  going.child.stdin?.end(`${lines}\n`)
  const { stdout } = await going
  const said = stdout.trim().split('\n')
  const wanted = deliveryVectors.map(({ what, taken, headers }) => {
    const ways = [`taken ${headers['x-svc-event-id']}`, 'refused']
    return [what, taken === null ? expect.toBeOneOf(ways) : ways[taken ? 0 : 1]]
  })
  expect(deliveryVectors.map(({ what }, at) => [what, said[at]])).toEqual(wanted)
}

test('the Node code that users can copy for verifying deliveries accepts all valid deliveries and no others [HOOK-06] [F18]', async () => {
  const reader = `
import { readFileSync } from 'node:fs'
const names = ${JSON.stringify(names)}
for (const line of readFileSync(0, 'utf8').trim().split('\\n')) {
  const [a, b, c, d, body, secret, now] = line.split(' ')
  const text = (field) => Buffer.from(field, 'hex')
  const headers = Object.fromEntries([a, b, c, d].flatMap((field, at) => (field === '-' ? [] : [[names[at], text(field).toString()]])))
  try {
    console.log('taken', verifyDelivery(headers, text(body ?? ''), text(secret ?? '').toString(), Number(now)).id)
  } catch {
    console.log('refused')
  }
}
`
  await writeFile(join(folder, 'verifier.mjs'), `${verifiers.node.text}${reader}`)
  await takes(process.execPath, ['verifier.mjs'])
})

const has = (program: string, ...args: string[]): boolean => spawnSync(program, args, { stdio: 'ignore', env }).status === 0

test.skipIf(!has('python3', '--version'))(
  'the webhook verifier for users to copy in Python gives the same results as the app’s verifier [HOOK-06] [F18]',
  async () => {
    const reader = `

import sys

for line in sys.stdin:
    *fields, body, secret, now = line.rstrip("\\n").split(" ")
    headers = {name: bytes.fromhex(field).decode() for name, field in zip(${JSON.stringify(names)}, fields) if field != "-"}
    try:
        print("taken", verify_delivery(headers, bytes.fromhex(body), bytes.fromhex(secret).decode(), int(now))["id"])
    except ValueError:
        print("refused")
`
    await writeFile(join(folder, 'verifier.py'), `${verifiers.python.text}${reader}`)
    await takes('python3', ['verifier.py'])
  },
)

test.skipIf(!has('go', 'version'))(
  'the webhook verifier for users to copy in Go gives the same results as the app’s verifier [HOOK-06] [F18]',
  async () => {
    const reader = `package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"verifier/receiver"
)

func text(field string) []byte {
	bytes, _ := hex.DecodeString(field)
	return bytes
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), " ")
		headers := http.Header{}
		for at, name := range []string{${names.map((name) => JSON.stringify(name)).join(', ')}} {
			if fields[at] != "-" {
				headers.Set(name, string(text(fields[at])))
			}
		}
		now, _ := strconv.ParseInt(fields[6], 10, 64)
		event, err := receiver.VerifyDelivery(headers, text(fields[4]), string(text(fields[5])), time.Unix(now, 0))
		if err != nil {
			fmt.Println("refused")
		} else {
			fmt.Println("taken", event.ID)
		}
	}
}
`
    await mkdir(join(folder, 'receiver'))
    await writeFile(join(folder, 'go.mod'), 'module verifier\n\ngo 1.19\n')
    await writeFile(join(folder, 'main.go'), reader)
    await writeFile(join(folder, 'receiver', 'verifier.go'), verifiers.go.text)
    await takes('go', ['run', '.'])
  },
  120_000,
)

const rustProject = '[package]\nname = "verifier"\nversion = "0.0.0"\nedition = "2021"\n\n[dependencies]\nhmac = "0.12"\nsha2 = "0.10"\nserde_json = "1"\n'
const rustReader = `mod verifier;

fn text(field: &str) -> Vec<u8> {
    (0..field.len()).step_by(2).map(|at| u8::from_str_radix(&field[at..at + 2], 16).unwrap()).collect()
}

fn main() {
    for line in std::io::stdin().lines().map_while(Result::ok) {
        let fields: Vec<&str> = line.split(' ').collect();
        let values: Vec<Option<String>> = fields[..4].iter().map(|field| (*field != "-").then(|| String::from_utf8(text(field)).unwrap())).collect();
        let header = |name: &str| [${names.map((name) => JSON.stringify(name)).join(', ')}].iter().position(|one| *one == name).and_then(|at| values[at].as_deref());
        let secret = String::from_utf8(text(fields[5])).unwrap();
        match verifier::verify_delivery(header, &text(fields[4]), &secret, fields[6].parse().unwrap()) {
            Ok(event) => println!("taken {}", event["id"].as_str().unwrap()),
            Err(_) => println!("refused"),
        }
    }
}
`
const rust = has('cargo', '--version')

test.skipIf(!rust)(
  'the webhook verifier for users to copy in Rust accepts only valid deliveries; runs only if its crates are available offline [HOOK-06] [F18]',
  async ({ skip }) => {
    const project = join(folder, 'rust')
    await mkdir(join(project, 'src'), { recursive: true })
    await writeFile(join(project, 'Cargo.toml'), rustProject)
    await writeFile(join(project, 'src', 'main.rs'), rustReader)
    await writeFile(join(project, 'src', 'verifier.rs'), verifiers.rust.text)
    const found = spawnSync('cargo', ['metadata', '--offline', '--format-version=1'], { cwd: project, stdio: 'ignore', env })
    skip(found.status !== 0, 'cargo finds no crates on this computer')
    const built = spawnSync('cargo', ['build', '--offline', '--quiet'], { cwd: project, encoding: 'utf8', env })
    expect(built.stderr).toBe('')
    await takes(join(project, 'target', 'debug', 'verifier'), [])
  },
  240_000,
)

test.skipIf(!has('rustc', '--version'))('the webhook verifier for users to copy in Rust is valid Rust: the compiler reports only missing crates', async () => {
  await writeFile(join(folder, 'verifier.rs'), verifiers.rust.text)
  const checked = spawnSync('rustc', ['--edition=2021', '--crate-type=lib', '--error-format=short', '--emit=metadata', 'verifier.rs'], {
    cwd: folder,
    encoding: 'utf8',
    env,
  })
  const errors = checked.stderr.split('\n').filter((line) => /: error/.test(line))
  expect(errors.length).toBeGreaterThan(0)
  for (const line of errors) expect(line).toMatch(/E0432|E0433/)
})

const marks: Readonly<Record<VerifierLanguage, readonly RegExp[]>> = {
  node: [/timingSafeEqual/, /toleranceS = 300/, /SVC_WEBHOOK_SECRET/],
  python: [/hmac\.compare_digest/, /TOLERANCE_S = 300/, /SVC_WEBHOOK_SECRET/],
  go: [/hmac\.Equal/, /toleranceS = 300/, /SVC_WEBHOOK_SECRET/],
  rust: [/verify_slice/, /TOLERANCE_S: u64 = 300/, /SVC_WEBHOOK_SECRET/],
}

test('each code sample for verifying deliveries compares signatures in constant time, allows 300 s, and explains duplicates and corrections [HOOK-06, HOOK-07]', () => {
  for (const language of Object.keys(verifiers) as VerifierLanguage[]) {
    const snippet = verifiers[language].text
    for (const mark of marks[language]) expect(snippet).toMatch(mark)
    expect(snippet).toMatch(/raw bytes/)
    expect(snippet).toMatch(/may arrive again/)
    expect(snippet).toMatch(/revokes that earlier event/)
    expect(snippet).not.toMatch(/svc_whsec_[0-9a-f]/)
  }
})
