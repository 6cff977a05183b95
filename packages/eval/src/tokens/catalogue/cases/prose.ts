import { writeCasesOf } from '../case.js'

const write = writeCasesOf('text')

/** Text that people read: long, with quotes, line breaks and other scripts. */
export const proseCases = [
  write('short mail', [
    'send_email',
    {
      to: ['facility@example.com'],
      subject: 'Projector in room 204',
      body: 'The projector has no picture since noon.',
    },
  ]),
  write('mail with quotes', [
    'send_email',
    {
      to: ['press@example.com', 'ines@example.com'],
      subject: 'Re: "final" wording',
      body: 'She wrote: "Please change \'soon\' to \'in May\'", and I think she is right.\nIs "in May" fine with you?',
      importance: 'high',
    },
  ]),
  write('long mail', [
    'send_email',
    {
      to: ['suppliers@example.com'],
      cc: ['finance@example.com', 'legal@example.com'],
      subject: 'New terms of delivery from 1 April',
      body: `Dear partners,

from 1 April on we change the way in which we receive goods at our two warehouses. I write to you early so that there is enough time to prepare.

First, deliveries have to be announced at least 24 hours ahead, with the number of pallets and their weight. The form on the portal takes about two minutes. Trucks that arrive without an announcement can wait up to four hours, and we cannot pay for that time.

Second, every pallet needs a label with our order number (it starts with "PO-"), the article number and the quantity. A photo of a correct label is attached to the contract, appendix B.

Third, invoices are paid 30 days after the goods were counted, no longer 30 days after the date of the invoice. For most of you nothing changes: over 90 % of all deliveries are counted on the day on which they arrive.

If one of these points is a problem for you, please call me before 15 March. We have found a solution for everybody so far.

Kind regards,

Helene Aubert
Head of purchasing`,
    },
  ]),
  write('translation into Japanese', [
    'translate_text',
    {
      text: 'Your parcel is waiting at the pick-up point until {date}. Please bring the code {code}.',
      target_language: 'ja',
      formality: 'formal',
    },
  ]),
  write('text in Japanese', [
    'translate_text',
    {
      text: 'お世話になっております。先日ご注文いただいた商品は、3月12日（木）に発送いたしました。お届けまで2〜3日ほどかかります。ご不明な点がございましたら、「お問い合わせ」よりご連絡ください。',
      target_language: 'pt-BR',
    },
  ]),
  write('accents and emoji', [
    'send_email',
    {
      to: ['équipe@exemple.fr'],
      subject: 'Déménagement terminé 🎉📦',
      body: 'Ça y est, c’est fait ! Un grand merci à Zoë, Łukasz et Jürgen 👏🏽\nOn fête ça jeudi à 18 h : crêpes « à volonté » 🥞',
    },
  ]),
  write('note with a list', [
    'update_ticket',
    {
      ticket_id: 91855,
      status: 'open',
      assignee: 'r.okafor',
      internal_note:
        'Called the customer, 25 minutes.\n\n- sync fails since the update to 8.2\n- log shows `EPIPE` and "socket hang up"\n- works with the old proxy\n\nNext: ask the network team about <proxy-b>, and send the log.',
    },
  ]),
  write(
    'mail and event in parallel',
    [
      'send_email',
      {
        to: ['h.lindqvist@example.se'],
        subject: 'Visit on 21 May',
        body: 'Hello Hanna,\n\nthe 21st suits us well. I have booked a room for us from 10 to 12.\n\nSee you then,\nTomás',
      },
    ],
    [
      'create_event',
      {
        title: 'Visit: Hanna Lindqvist',
        start: '2026-05-21T10:00:00+02:00',
        end: '2026-05-21T12:00:00+02:00',
        attendees: [{ email: 'h.lindqvist@example.se', name: 'Hanna Lindqvist' }],
        notes: 'Bring:\n1. the samples\n2. the new price list',
      },
    ],
  ),
]
