// Everyday verbs: english=french, and of transitive ones the kinds of nouns that they are said of.
import { english, french } from './conjugate.js';

const read = (text) =>
  text
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [entries, kinds = ''] = line.trim().split(' : ');
      return entries.split(/\s*,\s*/).map((entry) => {
        const [from, to] = entry.split('=');
        return { english: english(from), french: french(to), kinds: kinds.split(' ') };
      });
    });

export const transitive = read(`
  eat=manger, cook=cuisiner, taste=goûter, peel=éplucher, cut=couper, wash=laver, buy=acheter, sell=vendre, like=aimer, bring=apporter, want=vouloir, steal=voler, order=commander, hate=détester, smell=sentir, slice=trancher, weigh=peser, share=partager, grow=cultiver, pick=cueillir, wash=laver, offer=offrir : food
  see=voir, find=trouver, buy=acheter, sell=vendre, lose=perdre, bring=apporter, break=casser, hide=cacher, forget=oublier, need=avoir_besoin, want=vouloir, repair=réparer, choose=choisir, steal=voler, take=prendre, keep=garder, draw=dessiner, carry=porter, throw=jeter, borrow=emprunter, drop=laisser_tomber, use=utiliser, like=aimer, love=adorer, give=donner, show=montrer, clean=nettoyer, paint=peindre, look for=chercher, pick up=ramasser, put away=ranger, touch=toucher, have=avoir, return=rendre, lift=soulever, push=pousser, drag=traîner, wrap=emballer, hold=tenir, measure=mesurer, weigh=peser, bury=enterrer, receive=recevoir, deliver=livrer, mend=réparer, admire=admirer, describe=décrire, shake=secouer, lend=prêter, collect=collectionner, pack=emballer : thing
  wear=porter, buy=acheter, wash=laver, iron=repasser, put on=mettre, take off=enlever, try on=essayer, sew=coudre, sell=vendre, lose=perdre, find=trouver, like=aimer, want=vouloir, have=avoir, knit=tricoter, fold=plier, mend=raccommoder, hang up=accrocher, borrow=emprunter, choose=choisir, hide=cacher, tear=déchirer, forget=oublier : clothes pairs
  see=voir, meet=rencontrer, know=connaître, help=aider, love=aimer, hear=entendre, follow=suivre, invite=inviter, visit=rendre_visite, look for=chercher, wait for=attendre, watch=regarder, thank=remercier, call=appeler, admire=admirer, hate=détester, forget=oublier, kiss=embrasser, draw=dessiner, photograph=photographier, recognize=reconnaître, wake up=réveiller, find=trouver, protect=protéger, greet=saluer, congratulate=féliciter, comfort=consoler, scold=gronder, warn=prévenir_, marry=épouser, surprise=surprendre, describe=décrire, forgive=excuser, push=pousser : person family
  see=voir, hear=entendre, feed=nourrir, catch=attraper, wash=laver, like=aimer, follow=suivre, draw=dessiner, photograph=photographier, find=trouver, look for=chercher, have=avoir, watch=regarder, stroke=caresser, buy=acheter, chase=chasser, sell=vendre, love=adorer, brush=brosser, save=sauver, tame=apprivoiser, hunt=chasser, scare=effrayer, raise=élever, carry=porter, hold=tenir, scratch=gratter : animal
  see=voir, visit=visiter, like=aimer, draw=dessiner, find=trouver, leave=quitter, cross=traverser, look for=chercher, know=connaître, photograph=photographier, build=construire, buy=acheter, sell=vendre, paint=peindre, show=montrer, explore=explorer, describe=décrire, destroy=détruire, admire=admirer, clean=nettoyer : place
  clean=nettoyer, paint=peindre, sell=vendre, buy=acheter, repair=réparer, see=voir, like=aimer, decorate=décorer, break=casser, draw=dessiner, tidy=ranger, sweep=balayer, measure=mesurer, close=fermer_, light=éclairer : house
  drive=conduire, buy=acheter, sell=vendre, repair=réparer, wash=laver, see=voir, steal=voler, borrow=emprunter, paint=peindre, wait for=attendre, take=prendre, photograph=photographier, hear=entendre : vehicle
  read=lire, write=écrire, understand=comprendre, forget=oublier, learn=apprendre, know=connaître, hear=entendre, finish=finir, begin=commencer, tell=raconter, like=aimer, explain=expliquer, remember=se_rappeler, prepare=préparer, choose=choisir, sign=signer, cancel=annuler, translate=traduire : school
`).filter(({ french: { infinitive } }) => !infinitive.includes('_'));

export const consume = {
  drink: read(
    `drink=boire, buy=acheter, want=vouloir, make=préparer, order=commander, bring=apporter, sell=vendre, serve=servir`,
  ),
  mass: read(
    `eat=manger, buy=acheter, want=vouloir, cook=cuisiner, bring=apporter, sell=vendre, order=commander, prepare=préparer`,
  ),
};

export const intransitive = read(`
  sleep=dormir, run=courir, sing=chanter, dance=danser, cry=pleurer, laugh=rire, work=travailler, swim=nager, play=jouer, wait=attendre, walk=marcher, talk=parler, smile=sourire, arrive=arriver, leave=partir, fall=tomber, travel=voyager, cook=cuisiner, read=lire, write=écrire, shout=crier, snore=ronfler, cough=tousser, whisper=chuchoter, jump=sauter, study=étudier, eat=manger, sneeze=éternuer, pray=prier, whistle=siffler, knit=tricoter, rest=se reposer, get up=se lever, wake up=se réveiller, get dressed=s'habiller, hurry=se dépêcher, wash=se laver, have fun=s'amuser, fish=pêcher, dream=rêver, draw=dessiner, paint=peindre, come back=revenir, go out=sortir, listen=écouter, think=réfléchir, drive=conduire, hide=se cacher, yawn=bâiller, garden=jardiner, hunt=chasser, kneel=s'agenouiller, blush=rougir, shiver=frissonner, tremble=trembler, limp=boiter, crawl=ramper, faint=s'évanouir, sit down=s'asseoir, stand up=se lever, lie down=s'allonger, fall asleep=s'endormir, disappear=disparaître, sweat=transpirer, row=ramer, dive=plonger, slip=glisser, stumble=trébucher, stay=rester, argue=se disputer, complain=se plaindre, lie=mentir_, sew=coudre, weep=pleurer_, nod=hocher_
`).filter(({ french: { infinitive } }) => !infinitive.includes('_'));

export const animalVerbs = read(`
  sleep=dormir, run=courir, eat=manger, jump=sauter, swim=nager, bark=aboyer, fly=voler, hide=se cacher, escape=s'échapper, drink=boire, play=jouer, wake up=se réveiller, growl=grogner, fall=tomber, die=mourir, bite=mordre, rest=se reposer, climb=grimper, breathe=respirer, howl=hurler, roar=rugir, crawl=ramper, limp=boiter, graze=brouter, sing=chanter, disappear=disparaître, run away=s'enfuir, tremble=trembler, lie down=se coucher
`);
