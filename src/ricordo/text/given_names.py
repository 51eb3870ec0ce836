"""Given names, in lower case: enough to take a capitalised word for a person. No rule is here."""

from __future__ import annotations

from ricordo.text.english import word_set

#: Names that are hardly anything else.
GIVEN = word_set(
    """
    aaron abby abdul abdullah abigail adam adele adrian adriana agata agathe agnes agnieszka ahmed aisha akira alan
    albert alberto alejandra alejandro aleksandra alessandro alex alexander alexandra alexei alexis alfred ali alice
    alicia alina alison allison alma alvaro amadou amanda amara amelia amina amir amit amy ana anastasia anders
    andre andrea andreas andres andrew andrzej andy angela angelika angelina anika anil anita anja anjali ann anna
    annabelle anne annette annie annika ansel anthony antje antoine anton antonia antonio anya ariana arjun arne
    arnold artem arthur arturo asha ashley astrid audrey aurelie axel ayesha ayse bailey barbara bart bastian
    beatrice beatriz becky bella ben benedikt bengt benjamin bernard bernd beth bethany betty bianca birgit bjorn
    blanca bob bobby boris brad bradley brandon brenda brendan brian bridget britta bruce bruno bryan caitlin caleb
    calvin cameron camila camille carina carl carla carlos carmen carol carolin caroline carolyn carsten catalina
    caterina catherine cathy cecilia cedric celia celine cesar charlene charles charlie chiara chidi chloe chris
    christa christina christine christoph christophe christopher cindy claire clara clarissa claude claudia claus
    clemens colin colleen connie connor conrad cora corinna craig cristina curtis cynthia dagmar damian damien dan
    daniel daniela danielle danny daphne dario darius darren dave david debbie deborah deepak denise dennis derek
    derrick desmond detlef diana diane diego dieter dilip dimitri dirk dmitri dominic dominik dominique don donald
    donna doris dorothea dorothy doug douglas dylan ebba edgar edith eduardo edward edwin egon eileen ekaterina
    elaine eleanor elena eleni elias elif elijah elin elisa elisabeth elise elizabeth ella ellen ellie elsa elsie
    emanuel emeka emil emilia emilie emilio emily emma emre enrico enrique eric erica erich erik erika erin ernest
    ernst esteban esther ethan eugene eva evan evelyn fabian fabio fadi farah farid fatima fatma federico felicia
    felipe felix ferdinand fernanda fernando finn fiona florian francesca francesco francis francisco francois
    frankie franz fred freddie freddy frederic frederick freya frida frieda friedrich fritz gabriel gabriela
    gabriele gabriella gareth gary gavin georg george georgina gerald gerard gerd gerhard gina gino giorgio giovanni
    gisela giulia giuseppe gloria gordon graham greg gregor gregory greta gretchen guido guillermo gunnar gunter
    gunvor gustav gwen hank hanna hannah hans harald haris harold harry harvey hassan heather hector heidi heike
    heiko heinrich heinz helen helena helene helga helmut hendrik henning henri henrik henry herbert herman hilary
    hilda hiro hiroshi horst howard hubert hugo hussein ian ibrahim ida ignacio igor ilse imran ines inga inge
    ingrid irena irene irina irma isaac isabel isabella isabelle isaiah ismail ivan jackson jacob jacqueline jacques
    jaime jake jakob jamal james jamie jan jana jane janet janine jannik jannis janosch jared jasmin jason javier
    jean jeanette jeanne jeff jeffrey jelena jenna jennifer jenny jens jeremy jerome jerry jesse jessica ji-woo jill
    jim jimmy jing joachim joan joana joanna joanne jochen joe joel joey johan johann johanna johannes john johnny
    jolene jon jonah jonas jonathan jorge jose josef joseph josephine josh joshua josie juan juana judith judy julia
    julian juliana julie julien juliet julio julius jurgen justin justine kai kaori karen karim karin karina karl
    karla karolina kaspar katarzyna kate katharina katherine kathleen kathrin kathy katia katie katja katrin kay
    kaya keiko keith kelly kelsey ken kenji kenneth kerstin kevin khalid kieran kim kirsten klara klaus kofi konrad
    konstantin kristen kristin kristina kristine kumiko kurt kwame kyle lara larissa larry lars lasse laszlo laura
    lauren laurent layla lea leah leila lena lennart leo leon leonard leonardo leonie leonor leopold lerato leroy
    leslie lewis li-na liam liana lidia lina linda lindsay lindsey linh linus lionel lisa lise livia liz lizzie
    lloyd lola lorena lorenzo lori lotta lotte lou louis louisa louise luca lucas lucia luciana lucie lucinda lucy
    ludwig luigi luis luisa lukas lukasz luke luna lutz lydia lynn mabel maddie madeleine maeve magda magdalena
    magnus mahmoud maja malcolm malgorzata malik malin malte manfred manuel manuela mara marc marcel marcela marcia
    marco marcos marcus mareike margaret margarita margit margot maria mariah mariam marian mariana marianne marie
    mariel marilyn marina mario marion marisa marius marjorie markus marlene marta martha martin martina marvin mary
    masha massimo mateo mathias mathieu mathilde matilda matt matteo matthew matthias matthieu maureen maurice
    mauricio max maxim maximilian maxine maya megan mehmet mei mel melanie melinda melissa mercedes meredith mia
    micah michael michaela michel michele michelle miguel mika mike mikhail milan milena milo min-jun mina ming mira
    miranda miriam mohamed mohammed moira molly mona monica monika monique moritz morris moses muhammad murat
    mustafa nadeem nadia nadine nadja nancy naomi nasser natalia natalie natasha nate nathan nathaniel neha neil
    nelson ngozi nguyen nia niamh nicholas nico nicola nicolas nicole niels nigel nikhil nikita nikolai nikolaus
    nils nina nishant noah noel noemi noor nora norbert norman nuno octavia ola olaf ole oleg olga oliver olivia
    olivier olle omar oscar oskar otto owen pablo paco pamela paola paolo pascal patricia patrick paul paula paulina
    pauline paulo pavel pedro peggy pete peter petra phil philip philipp philippe phoebe phyllis pia pierre pilar
    piotr polly pradeep pranav priya rachel rafael rafal rahul rainer raj rajesh ralf ralph ramon randall randy
    raphael raquel rashid raul ravi raymond rebecca regina reinhard renata renate rene reza ricardo riccardo richard
    rick ricky rita rob robert roberta roberto rocio roderick rodney rodrigo roger rohan roland rolf roman ron
    ronald ronja rory rosa rosalie rosanna rosemary rosie ross roxanne roy rudi rudolf rupert russell ruth ryan
    sabine sabrina sadie sally salma salvador sam samantha samir samuel sandra sanjay santiago sara sarah sascha
    sasha saskia scott sean sebastian selena selma serena sergei sergio seth shane shannon sharon sheila shirley
    shreya sibylle siegfried signe sigrid silke silvia simon simona simone sipho sofia sofie sonia sonja soo-jin
    sophia sophie soren spencer stacy stan stanley stefan stefanie stella stephan stephanie stephen steve steven
    stuart sunita susan susanna susanne susie suzanne svea sven svenja sveta sylvia tabea tamara tania tanja tanya
    tara tariq tatiana ted terence teresa terri terry tessa thabo thea thelma theo theodor theodore theresa therese
    thies thomas thorsten thuy tiago tiffany tilda till tilly tim timo timothy tina tobias todd tom tomas tomasz
    tommy toni tony torben tracy travis trevor trisha tristan tyrone udo ulf uli ulla ulrich ulrike ursula uta ute
    uwe valentina valerie vanessa vera veronica veronika vicky vijay vikram vincent viola vivian vivien vladimir
    walter wanda wei wendy werner wilhelm willem william wojciech wolfgang xavier xin yasmin ylva youssef yuki yuko
    yuri yusuf yves yvette yvonne zach zachary zainab zara zoe zofia zsofia
    """
)

#: Names that are other words, months or places too: they need more than a capital.
DOUBTFUL = word_set(
    """
    amber angel april art august austin autumn basil bill brooke brooklyn candy carolina carter chad charity
    charlotte chase chelsea christian clay cliff cooper crystal dale daisy dakota dallas dawn dean destiny dolly
    drew duke earl eden faith fern florence forest frank gale gene georgia ginger glen grace grant gray guy harmony
    harper hazel heath holly hope hunter india iris ivory ivy jack jade jasmine jay jordan joy june justice ken
    lance laurel lee lily lincoln london mark martin mason may melody mercy miles misty morgan nick olive page paige
    paris parker pat patience pearl penny peg phoenix pierce piper poppy ray reed reid rich river robin rose ruby
    rusty sage sandy savannah shelby sierra sky skip stone sue summer sunny sydney taylor tyler valentin victor
    victoria vienna violet virginia wade ward warren wayne will willow winter woody madison lucky tiger shadow
    """
)
