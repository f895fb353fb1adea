import { secondFactorChanged } from './second-factor.ts';
import type { MailTexts } from './words.ts';

export const spanish: MailTexts = {
  locale: 'es-ES',
  orOpen: 'O abra esta dirección:',
  confirmEmail: (name, url) => ({
    subject: `Confirme su correo electrónico para ${name}`,
    heading: 'Confirme su correo electrónico',
    paragraphs: [
      `Alguien, esperamos que usted, se ha registrado en ${name} con esta dirección. Confirme que es suya para poder invitar a su equipo.`,
    ],
    action: { label: 'Confirmar el correo', url },
    note: 'El enlace es válido durante 7 días. Si no ha sido usted, ignore este mensaje: una cuenta que no se confirma ni se paga termina a los 7 días, con todo lo que contiene.',
  }),
  resetPassword: (name, url) => ({
    subject: `Restablezca su contraseña de ${name}`,
    heading: 'Restablezca su contraseña',
    paragraphs: [`Alguien, esperamos que usted, ha pedido restablecer la contraseña de su cuenta de ${name}.`],
    action: { label: 'Elegir una contraseña nueva', url },
    note: 'El enlace es válido una sola vez y durante una hora. Si no ha sido usted, ignore este mensaje: su contraseña sigue igual.',
  }),
  passwordChanged: (name, url) => ({
    subject: `Se ha cambiado su contraseña de ${name}`,
    heading: 'Se ha cambiado su contraseña',
    paragraphs: [
      `La contraseña de su cuenta de ${name} se acaba de cambiar y se ha cerrado su sesión en todos los dispositivos.`,
    ],
    action: { label: 'Iniciar sesión', url },
    note: 'Si no ha sido usted, restablezca su contraseña de inmediato y avise a su administrador.',
  }),
  newSignIn: (name, { agent, address, time }) => ({
    subject: `Nuevo inicio de sesión en ${name}`,
    heading: 'Un nuevo inicio de sesión',
    paragraphs: [
      `Alguien acaba de iniciar sesión en su cuenta de ${name} desde un navegador en el que usted no la había iniciado antes.`,
      `Navegador: ${agent}`,
      `Dirección: ${address}`,
      `Hora: ${time}`,
    ],
    note: 'Si ha sido usted, no tiene que hacer nada. Si no, cambie su contraseña de inmediato: así terminan todas las sesiones. En su cuenta, en «Sign-in and security», puede ver dónde ha iniciado sesión y desactivar estos mensajes.',
  }),
  secondFactorChanged: secondFactorChanged.es,
  invitationExpired: (name, url) => ({
    subject: `Su invitación a ${name} ha caducado`,
    heading: 'Su invitación ha caducado',
    paragraphs: [
      `Alguien, esperamos que usted, ha pedido un enlace nuevo a ${name}. Una invitación es válida durante 7 días y la suya ha caducado.`,
      'Pida a quien le invitó que se la envíe de nuevo.',
    ],
    action: { label: `Abrir ${name}`, url },
    note: 'Si no ha sido usted, ignore este mensaje: no ocurrirá nada.',
  }),
  invitation: (name, url, { company, inviter }) => ({
    subject: `Le han invitado a ${name}`,
    heading: 'Le han invitado',
    paragraphs: [
      inviter === null
        ? `Le han invitado a unirse a ${company ? `la empresa «${company}»` : 'una empresa'} en ${name}.`
        : `${inviter} le invita a unirse a ${company ? `la empresa «${company}»` : 'su empresa'} en ${name}.`,
      'Para empezar, elija una contraseña. Después podrá hacer preguntas y obtener respuestas a partir de los documentos de la empresa.',
    ],
    action: { label: 'Aceptar la invitación', url },
    note:
      inviter === null
        ? 'El enlace es válido una sola vez, hasta que terminen los 7 días de su invitación; el anterior ya no funciona.'
        : 'El enlace es válido una sola vez y durante 7 días. Si no esperaba esta invitación, ignórela: no ocurrirá nada.',
  }),
  paymentFailed: (name, { day, url }) => ({
    subject: `Ha fallado un pago de ${name}`,
    heading: 'Ha fallado un pago',
    paragraphs: [
      'Su suscripción no se ha podido renovar porque el pago fue rechazado.',
      `Todo funciona hasta el ${day}. Pague antes la factura pendiente o cambie la tarjeta.`,
    ],
    action: { label: 'Resolver el pago', url },
  }),
  graceEndsSoon: (name, { day, url }) => ({
    subject: `${name} se detiene el ${day}: falta un pago`,
    heading: 'Todavía falta un pago',
    paragraphs: [
      `A partir del ${day}, nadie de su empresa podrá hacer preguntas, subir archivos ni invitar hasta que se pague la factura pendiente.`,
      'Sus documentos se conservan y se pueden leer.',
    ],
    action: { label: 'Resolver el pago', url },
  }),
  accessStopped: (name, { url }) => ({
    subject: `${name} se ha detenido: falta un pago`,
    heading: 'Falta un pago',
    paragraphs: [
      'Las preguntas, las subidas y las invitaciones están desactivadas para su empresa porque no se ha pagado una factura.',
      'No se borra nada. Con el pago, todo vuelve a funcionar de inmediato.',
    ],
    action: { label: 'Resolver el pago', url },
  }),
  subscriptionEnds: (name, { day, url }) => ({
    subject: `Su suscripción a ${name} termina el ${day}`,
    heading: 'Su suscripción va a terminar',
    paragraphs: [`Se ha cancelado y termina el ${day}. Hasta entonces todo funciona.`],
    action: { label: 'Conservar la suscripción', url },
  }),
  subscriptionEnded: (name, { day, url }) => ({
    subject: `Su suscripción a ${name} ha terminado`,
    heading: 'Su suscripción ha terminado',
    paragraphs: [
      `Lo pagado es válido hasta el ${day}. Después, nadie de su empresa podrá hacer preguntas, subir archivos ni invitar.`,
      'Sus documentos se conservan: se pueden leer, descargar y borrar.',
    ],
    action: { label: 'Elegir un plan', url },
  }),
  digest: (name, { files, moreFiles, questions, moreQuestions, url }) => ({
    subject: `${name}: lo que conviene revisar`,
    heading: 'Lo que conviene revisar',
    paragraphs: [
      ...(files.length > 0 ? ['Estos archivos no se han podido leer:', ...files.map((file) => `• ${file}`)] : []),
      ...(moreFiles > 0 ? [`Y ${moreFiles} más.`] : []),
      ...(questions.length > 0
        ? [
            'Estas preguntas no han encontrado respuesta en los documentos:',
            ...questions.map((question) => `• ${question}`),
          ]
        : []),
      ...(moreQuestions > 0 ? [`Y ${moreQuestions} más.`] : []),
    ],
    action: { label: 'Abrir el panel', url },
    note: 'Recibe este mensaje como máximo una vez al día, cuando hay algo que contar. Se puede desactivar en la configuración, en «Notifications».',
  }),
  monthlyReport: (_name, facts) => ({
    subject: `${facts.company}: lo que se preguntó en ${facts.month}`,
    heading: `Lo que se preguntó en ${facts.month}`,
    paragraphs: [
      `Preguntas: ${facts.asked}, de ellas ${facts.answered} con respuesta. Personas que preguntaron: ${facts.people}. En otros tantos días antes: ${facts.askedBefore} preguntas.`,
      `Sin respuesta: ${facts.unanswered}. Respuestas útiles: ${facts.helpful}, no útiles: ${facts.notHelpful}.`,
      ...(facts.unansweredQuestions.length > 0 ? ['Más veces sin respuesta:', ...facts.unansweredQuestions] : []),
      ...(facts.topQuestions.length > 0 ? ['Lo más preguntado:', ...facts.topQuestions] : []),
    ],
    action: { label: 'Ver los análisis', url: facts.url },
    note: 'Los administradores de su empresa reciben esto cada mes. Se desactiva debajo de los análisis.',
  }),
  webhookOff: (name, { host, reason, url }) => ({
    subject: `${name}: se ha desactivado el webhook hacia ${host}`,
    heading: 'Se ha desactivado un webhook',
    paragraphs: [
      reason === 'gone'
        ? `${host} ha respondido que la dirección ya no existe (410). No se enviará nada más allí.`
        : `No ha llegado nada a ${host} en cinco días. No se enviará nada más allí.`,
      'Lo que estaba pendiente figura en su registro y puede enviarse de nuevo.',
    ],
    action: { label: 'Ver los webhooks', url },
  }),
  exportReady: (name, { isOwn, until, url }) => ({
    subject: isOwn
      ? `Sus datos de ${name} están listos`
      : `${name}: la exportación de los datos de la empresa está lista`,
    heading: 'Su exportación está lista',
    paragraphs: [
      isOwn
        ? 'El archivo con sus propios datos se puede descargar.'
        : 'El archivo con los datos de su empresa se puede descargar.',
      `Estará disponible hasta el ${until}. Después se borra; puede iniciar otra en cualquier momento.`,
    ],
    action: { label: 'Ir a la descarga', url },
    note: 'Se le pedirá que inicie sesión. Si usted no inició esta exportación, cambie su contraseña.',
  }),
  companyEnds: (name, { company, by, day, url }) => ({
    subject: `${company} se eliminará de ${name} el ${day}`,
    heading: 'Su empresa se eliminará',
    paragraphs: [
      `${by} lo ha pedido. El ${day} se borra definitivamente todo lo de ${company}: documentos, preguntas y respuestas, personas, ajustes.`,
      'Hasta entonces el acceso está cerrado. Solo los administradores pueden entrar, para conservar la empresa o exportar sus datos. No se cobra nada más.',
    ],
    action: { label: 'Conservar la empresa', url },
    note: 'Si es lo que desea, no tiene que hacer nada.',
  }),
  companyKept: (name, { company, by, url }) => ({
    subject: `${company} se queda en ${name}`,
    heading: 'Su empresa no se elimina',
    paragraphs: [`${by} ha anulado la eliminación de ${company}. Todo está como antes.`],
    action: { label: `Abrir ${name}`, url },
  }),
};
