import { readFile } from 'node:fs/promises'
import type { Certificate } from '@stateeval/contracts'
import { checkReplay, listFailedByAll, measureFigures } from '../certificate/figures.ts'
import { formatCertificateFile, parsePrivateKey, signStatement } from '../certificate/signing.ts'
import { formatCertificate } from '../certificate/text.ts'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { resolveBenchmarkId } from '../suite/benchmark.ts'
import { connectEvaluation, runRequests } from '../suite/index.ts'
import { parseInteger, parseSeed } from '../suite/options.ts'
import { writeText } from '../suite/output.ts'

interface CertifyCommand {
  key?: string
  samples: number
  seed: number | string
  out?: string
}

/** The signing key: of the file that is named, else of the environment. */
async function readSigningKey({ key }: CertifyCommand) {
  const fromEnvironment = process.env['STATEEVAL_SIGNING_KEY']
  if (key !== undefined) {
    const pem = await readFile(key, 'utf8').catch(() => {
      throw new Failure(`${key} cannot be read; --key takes a file with a private key in PEM`)
    })
    return parsePrivateKey(pem, key)
  }
  if (fromEnvironment) return parsePrivateKey(fromEnvironment, 'STATEEVAL_SIGNING_KEY')
  throw new Failure(
    'a certificate must be signed: name a key with --key FILE, or put it into STATEEVAL_SIGNING_KEY. Make one with: openssl genpkey -algorithm ed25519 -out key.pem',
  )
}

export const certify = defineCommand<CertifyCommand>({
  name: 'certify <benchmark>',
  describe:
    'Certify a benchmark: replay its references, mutate them, read its instructions back, and sign the results',
  example:
    'npx stateeval certify benchmark/ --key key.pem --out certificate.json   # a key: openssl genpkey -algorithm ed25519 -out key.pem',
  configure: (command) =>
    command
      .option('--key <file>', 'a private Ed25519 key in PEM; STATEEVAL_SIGNING_KEY by default')
      .option('--samples <n>', 'mutants of each case', parseInteger(1, 1000), 3)
      .option('--seed <seed>', 'seed of the mutants', parseSeed, 1)
      .option('--out <file>', 'the file to write; certificate.json by default'),
  run: async ({ options, args, terminal, signal }) =>
    runRequests(async (): Promise<ExitCode> => {
      const key = await readSigningKey(options)
      const benchmark = await resolveBenchmarkId(args[0]!, terminal, '<benchmark>')
      const { manifest } = await connectEvaluation().getBenchmark({ params: { id: benchmark } })
      if (!manifest)
        throw new Failure(
          `the benchmark ${benchmark} is not ready. Watch it with: npx stateeval show ${benchmark}`,
        )
      const figures = await measureFigures({ benchmark, manifest, terminal, signal }, options)
      checkReplay(figures)
      const { schema: _s, filtered: _f, statistics: _t, ...about } = manifest
      const certificate: Certificate = signStatement(
        {
          certificate: 1,
          madeAt: new Date().toISOString(),
          benchmark: about,
          ...figures,
          failedByAll: await listFailedByAll(manifest.digest, terminal),
        },
        key,
      )
      const { out = 'certificate.json' } = options
      await writeText(out, formatCertificateFile(certificate))
      terminal.result(certificate, () => `${formatCertificate(certificate)}\nWritten to ${out}.`)
      return 0
    }),
})
