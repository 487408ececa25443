import { readFile, stat } from 'node:fs/promises'
import {
  type Certificate,
  type CertificateStatement,
  computeContentId,
  type Manifest,
} from '@stateeval/contracts'
import { listFigureDifferences, measureFigures } from '../certificate/figures.ts'
import { resolveKeyId, verifyCertificate } from '../certificate/signing.ts'
import { formatCertificate } from '../certificate/text.ts'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { resolveBenchmarkId } from '../suite/benchmark.ts'
import { checkFolder } from '../suite/folder.ts'
import { connectEvaluation, runRequests } from '../suite/index.ts'

interface VerifyCommand {
  key?: string
  benchmark?: string
  reproduce?: boolean
}

const read = (file: string, what: string) =>
  readFile(file).catch(() => {
    throw new Failure(`${file} cannot be read; it should be ${what}`)
  })

/** The id of the key that must have signed: given itself, or as a file. */
async function resolveExpectedKey(key: string): Promise<string> {
  if (/^[0-9a-f]{64}$/.test(key)) return key
  return resolveKeyId((await read(key, 'a key in PEM')).toString('utf8'))
}

/** Throws a Failure where a benchmark folder is not the certified one. */
async function checkBenchmark(
  folder: string,
  { benchmark: { digest } }: CertificateStatement,
): Promise<void> {
  const manifest = await checkFolder(folder)
  if (manifest.digest !== digest)
    throw new Failure(
      `the certificate is for the benchmark ${digest}, but ${folder} contains ${manifest.digest}`,
      1,
    )
}

/** The digest is the hash of the manifest, which the certificate has in part. */
const isOwnDigest = ({ digest, ...rest }: Manifest) => computeContentId(rest) === digest

async function isReproduced(
  { statement }: Certificate,
  benchmark: string,
  terminal: Parameters<typeof measureFigures>[0]['terminal'],
  signal: AbortSignal,
): Promise<string[]> {
  const id = await resolveBenchmarkId(benchmark, terminal)
  const { manifest } = await connectEvaluation().getBenchmark({ params: { id } })
  if (!manifest || !isOwnDigest(manifest) || manifest.digest !== statement.benchmark.digest)
    throw new Failure(
      `the certificate is for the benchmark ${statement.benchmark.digest}, and ${benchmark} is a different one`,
      1,
    )
  const { samples, seed } = statement.mutation?.options ?? { samples: 1, seed: 1 }
  return listFigureDifferences(
    statement,
    await measureFigures({ benchmark: id, manifest, terminal, signal }, { samples, seed }),
  )
}

export const verify = defineCommand<VerifyCommand>({
  name: 'verify <file>',
  describe: 'Check a certificate: its signature, its benchmark’s files, and its figures by new measurements',
  example: [
    'npx stateeval verify certificate.json --key key-of-the-maker.pem',
    'npx stateeval verify certificate.json --benchmark benchmark/ --reproduce',
  ].join('\n'),
  configure: (command) =>
    command
      .option('--key <file|id>', 'the key that must have signed: a PEM file, or its id')
      .option('--benchmark <folder|id>', 'the benchmark; its files are checked against the certificate')
      .option('--reproduce', 'measure all figures again on this suite; requires --benchmark'),
  run: async ({ options: { key, benchmark, reproduce }, args, terminal, signal }) =>
    runRequests(async (): Promise<ExitCode> => {
      const certificate = verifyCertificate(await read(args[0]!, 'a certificate'))
      const { statement, signature } = certificate
      if (key !== undefined && (await resolveExpectedKey(key)) !== signature.keyId)
        throw new Failure(
          `the certificate is signed by ${signature.keyId}, which is not the key that you named`,
          1,
        )
      if (reproduce && benchmark === undefined) throw new Failure('--reproduce needs --benchmark')
      const isFolder = benchmark !== undefined && (await stat(benchmark).catch(() => null)) !== null
      if (benchmark !== undefined && isFolder) await checkBenchmark(benchmark, statement)
      const differing = reproduce ? await isReproduced(certificate, benchmark!, terminal, signal) : []
      if (differing.length > 0)
        throw new Failure(`this installation does not reproduce these figures: ${differing.join('; ')}`, 1)
      const checks = {
        signature: true,
        key: key !== undefined,
        benchmark: isFolder || reproduce === true,
        reproduced: reproduce === true,
      }
      terminal.result({ ...certificate, checks }, () =>
        [
          formatCertificate(certificate),
          '',
          'The signature is valid.',
          checks.key
            ? 'It was made with the key that you named.'
            : 'The key’s owner was not checked; name the expected key with --key.',
          ...(isFolder ? ['The benchmark’s files match the certificate.'] : []),
          ...(reproduce ? ['This suite reproduced all figures except those of models.'] : []),
        ].join('\n'),
      )
      return 0
    }),
})
