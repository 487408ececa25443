/**
 * Realistic contents of sessions of a cancer-genomics portal. Each leaf is drawn from the pool named as its
 * key, so that values of one kind can be compared, copied and exchanged. No floats: every language agrees on
 * these values.
 */
import type { JsonValue, JsonObject } from '@stateeval/contracts'
import type { RandomSource } from '@stateeval/program'

export const sources = [
  'portal_public',
  'portal_internal',
  'clinic-berlin',
  'genie_registry',
  'tumor.board',
  'research_lab',
  'pediatric_unit',
  'trial_desk',
]

const listNumberRange = (from: number, step: number, count: number) =>
  Array.from({ length: count }, (_, index) => from + step * index)

export const pools: Readonly<Record<string, readonly (string | number | boolean)[]>> = {
  title: [
    'Lung adenocarcinoma, stage II',
    'Breast cancer responders',
    'Glioma cohort 2024',
    'Colorectal baseline',
    'TP53 mutated cases',
    'Melanoma & nevi',
    'Rare sarcoma review',
    'Pancreas before surgery',
    'Kidney follow-up',
    'AML relapse panel',
    'Thyroid screening',
    'Prostate, high risk',
    'Ovarian BRCA carriers',
    'Liver transplant group',
    'Bladder pilot',
    'Münster head and neck',
    'Gastric second line',
    'Cervical registry',
    'Mesothelioma archive',
    'Neuroblastoma infants',
    'Endometrial subset',
    'Long-term survivors',
    'EGFR resistance',
    'Immunotherapy arm B',
  ],
  description: [
    'Draft for the tumour board',
    'Shared with the trial team',
    'Reviewed in spring',
    'Needs a second look',
    'Kept for the annual report',
    'Exported from the old portal',
    'Used in the seminar',
    'Waiting for consent forms',
    'Cleaned by hand',
    'First version',
    'Includes external samples',
    'Agreed with the statistician',
  ],
  name: [
    'Aiko Tanaka',
    'Bruno Keller',
    'Carla Mendes',
    'Dmitri Orlov',
    'Elena Rossi',
    'Farid Haddad',
    'Grace Okafor',
    'Henrik Larsen',
    'Ines Moreau',
    'Jonas Weber',
    'Kavya Iyer',
    'Liam Murphy',
    'Maja Novak',
    'Noor Rahman',
  ],
  institute: [
    'Charité',
    'Dana Farber',
    'Institut Curie',
    'Karolinska',
    'MD Anderson',
    'Mayo Clinic',
    'Memorial Sloan Kettering',
    'Peter MacCallum',
    'Princess Margaret',
    'Royal Marsden',
    'Tata Memorial',
    'Vall Hebron',
  ],
  tags: [
    'archived',
    'baseline',
    'curated',
    'exploratory',
    'follow-up',
    'pediatric',
    'pilot',
    'published',
    'replication',
    'retrospective',
    'shared',
    'urgent',
    'validated',
    'whole-exome',
  ],
  studies: [
    'aml_ohsu_2022',
    'brca_tcga',
    'coadread_dfci',
    'gbm_cptac',
    'hnsc_mdanderson',
    'luad_oncosg',
    'lung_msk_2023',
    'mel_ucla_2016',
    'nbl_target',
    'ov_tcga',
    'paad_qcmg',
    'prad_su2c',
    'skcm_broad',
    'stad_pfizer',
  ],
  cancerType: [
    'breast',
    'colorectal',
    'glioma',
    'kidney',
    'leukemia',
    'liver',
    'lung',
    'lymphoma',
    'melanoma',
    'ovarian',
    'pancreatic',
    'prostate',
  ],
  sampleCount: listNumberRange(24, 17, 40),
  onlySequenced: [true, false],
  members: listNumberRange(101, 37, 30).map((number) => `P-${String(number).padStart(5, '0')}`),
  color: [
    'amber',
    'black',
    'blue',
    'coral',
    'cyan',
    'gold',
    'green',
    'indigo',
    'magenta',
    'olive',
    'purple',
    'teal',
  ],
  priority: listNumberRange(1, 1, 24),
  groups: [
    'altered',
    'amplified',
    'control',
    'deleted',
    'early stage',
    'late stage',
    'metastatic',
    'non-responders',
    'primary',
    'responders',
    'treated',
    'unaltered',
  ],
  test: [
    'chi-squared',
    'fisher exact',
    'kruskal-wallis',
    'log-rank',
    'mann-whitney',
    'permutation',
    'spearman',
    'student t',
    'welch t',
    'wilcoxon',
  ],
  minimumSamples: listNumberRange(5, 3, 30),
  corrected: [true, false],
  theme: [
    'chalk',
    'contrast',
    'dark',
    'daylight',
    'light',
    'midnight',
    'paper',
    'print',
    'sepia',
    'solarized',
  ],
  pageSize: listNumberRange(10, 5, 40),
  showLegend: [true, false],
  locale: [
    'cs-CZ',
    'de-DE',
    'en-GB',
    'en-US',
    'es-ES',
    'fr-FR',
    'it-IT',
    'ja-JP',
    'nl-NL',
    'pl-PL',
    'pt-BR',
    'sv-SE',
  ],
  label: [
    'Age at diagnosis',
    'Biopsy site',
    'Drug response',
    'Family history',
    'Ki-67 class',
    'Margin status',
    'Mutation load',
    'Receptor status',
    'Smoking history',
    'Survival class',
    'Treatment line',
    'Tumour purity',
  ],
  datatype: [
    'binary',
    'categorical',
    'code',
    'date',
    'duration',
    'number',
    'ordinal',
    'percentage',
    'score',
    'string',
  ],
  patientLevel: [true, false],
  gene: [
    'ALK',
    'APC',
    'BRAF',
    'BRCA1',
    'BRCA2',
    'CDKN2A',
    'EGFR',
    'ERBB2',
    'IDH1',
    'KRAS',
    'MET',
    'NF1',
    'PIK3CA',
    'PTEN',
    'RB1',
    'TP53',
  ],
  genes: [
    'ABL1',
    'AKT1',
    'ATM',
    'CCND1',
    'CTNNB1',
    'FGFR3',
    'FLT3',
    'GNAS',
    'HRAS',
    'JAK2',
    'KIT',
    'MYC',
    'NOTCH1',
    'NRAS',
    'PDGFRA',
    'RET',
    'SMAD4',
    'VHL',
  ],
  profile: [
    'copy number',
    'expression z-scores',
    'fusion',
    'methylation',
    'miRNA',
    'mutation',
    'phosphorylation',
    'protein level',
    'raw counts',
    'structural variant',
  ],
  bins: listNumberRange(4, 2, 30),
  logScale: [true, false],
  assembly: ['GRCh36', 'GRCh37', 'GRCh38', 'GRCm38', 'GRCm39', 'T2T-CHM13', 'hg18', 'hg19', 'hg38', 'mm10'],
  release: listNumberRange(3, 1, 30),
  curated: [true, false],
}

/** A document's form: each leaf is one value of its pool, or so many of them as a list. */
type DocumentForm = { [key: string]: DocumentForm | 'one' | readonly [min: number, max: number] }

const owner: DocumentForm = { name: 'one', institute: 'one' }
const forms: Readonly<Record<string, DocumentForm>> = {
  main_session: {
    title: 'one',
    description: 'one',
    owner,
    studies: [2, 3],
    view: { theme: 'one', pageSize: 'one', showLegend: 'one' },
  },
  virtual_study: {
    title: 'one',
    owner,
    studies: [2, 3],
    filters: { cancerType: 'one', sampleCount: 'one', onlySequenced: 'one' },
  },
  group: { title: 'one', owner, members: [2, 4], display: { color: 'one', priority: 'one' } },
  comparison_session: {
    title: 'one',
    owner,
    groups: [2, 3],
    statistics: { test: 'one', minimumSamples: 'one', corrected: 'one' },
  },
  settings: {
    title: 'one',
    owner,
    display: { theme: 'one', pageSize: 'one', showLegend: 'one' },
    locale: 'one',
  },
  custom_data: {
    title: 'one',
    owner,
    tags: [2, 3],
    column: { label: 'one', datatype: 'one', patientLevel: 'one' },
    priority: 'one',
  },
  genomic_chart: {
    title: 'one',
    owner,
    tags: [2, 3],
    chart: { gene: 'one', profile: 'one', bins: 'one', logScale: 'one' },
  },
  custom_gene_list: {
    title: 'one',
    owner,
    genes: [2, 4],
    reference: { assembly: 'one', release: 'one', curated: 'one' },
  },
}

/** A form as it is filled in, kind by kind. */
type FormParts = readonly (readonly [
  kind: string,
  what: 'one' | readonly [min: number, max: number] | { parts: FormParts },
])[]
const listFormParts = (form: DocumentForm): FormParts =>
  Object.entries(form).map(([kind, what]) => [
    kind,
    what === 'one' || Array.isArray(what) ? (what as 'one') : { parts: listFormParts(what as DocumentForm) },
  ])
const parts: Readonly<Record<string, FormParts>> = Object.fromEntries(
  Object.entries(forms).map(([type, form]) => [type, listFormParts(form)]),
)

/**
 * Texts of a kind that the documents of a world share: so many where a document has one, so many where it has
 * a list.
 */
const sharedCount = { one: 2, list: 5 }
/** How often a document has a text of its own all the same. */
const ownChance = 0.15

/**
 * Draws contents for one world. Texts are shared by several documents, so that a query for one finds some of
 * them and not the others. Titles and numbers repeat only when their pool is used up: what is said of one
 * session's is untrue of another's.
 */
export function createValues(rng: RandomSource) {
  const rests = new Map<string, JsonValue[]>()
  const next = (kind: string): JsonValue => {
    let rest = rests.get(kind)
    if (rest === undefined || rest.length === 0) {
      const pool = pools[kind]
      if (!pool) throw new RangeError(`no pool ${kind}`)
      rests.set(kind, (rest = pool.slice()))
    }
    const at = rng.int(0, rest.length - 1)
    const value = rest[at] as JsonValue
    rest[at] = rest[rest.length - 1] as JsonValue
    rest.pop()
    return value
  }
  const shared = new Map<string, JsonValue[]>()
  const sharedOf = (kind: string, count: number): JsonValue[] => {
    let values = shared.get(kind)
    if (!values) shared.set(kind, (values = Array.from({ length: count }, () => next(kind))))
    return values
  }
  const one = (kind: string): JsonValue =>
    kind === 'title' || typeof pools[kind]?.[0] !== 'string' || rng.chance(ownChance)
      ? next(kind)
      : rng.pick(sharedOf(kind, sharedCount.one))
  const list = (kind: string, [min, max]: readonly [number, number]): JsonValue =>
    rng.sample(sharedOf(kind, sharedCount.list), rng.int(min, max))
  const fill = (form: FormParts): JsonObject => {
    const document: JsonObject = {}
    for (const [kind, what] of form)
      document[kind] = what === 'one' ? one(kind) : 'parts' in what ? fill(what.parts) : list(kind, what)
    return document
  }
  return { document: (type: string) => fill(parts[type] as FormParts) }
}

/** Another value of the kind, or null where none is known. */
export function drawAnotherValue(kind: string, value: JsonValue, rng: RandomSource): JsonValue {
  const pool = pools[kind] ?? []
  const index = pool.indexOf(value as string)
  const others = index < 0 ? pool.length : pool.length - 1
  if (others === 0) return null
  const draw = rng.int(0, others - 1)
  return pool[index < 0 || draw < index ? draw : draw + 1] as JsonValue
}
