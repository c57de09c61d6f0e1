// Made by Resources/romanization/make-romanization.py from ICU 72.1 and spellings.txt: do not edit.
// An entry is one letter, or two, and its spellings; `_` stands for nothing, and after `m~` a vowel may follow.

let romanizationTable: StaticString = """
  ä a ae;å a aa;ö o oe;ø o oe;ü u ue;đ d dj;α a;αι ai e;αυ au av af;β b v;γ g y gh;γγ ng gg;γκ gk g ng;γξ nx;\
  γχ nch;δ d dh;ε e;ει ei i;ευ eu ev ef;ζ z;η e i h;θ th;ι i j;κ k c;λ l;μ m;μπ mp b mb;ν n;ντ nt d nd;ξ x ks;\
  ο o;οι oi i e;ου ou u oo;π p;ρ r rh;σ s ss;τ t;τζ tz j;υ y i u;φ ph f;χ ch h kh x;ψ ps;ω o;ϐ b;ϑ th;ϕ ph;ϖ p;\
  ϰ k;ϱ r;ϲ s;ϳ j;ϵ e;ϸ s;ϻ s;а a;б b;в v w;г g h;д d;др dr der;е e ye je ie yo jo io o;еи ei ey ej ay;ж z zh j;\
  з z;и i y j ee;ии i y ij iy ii yi;к k c;кс ks x;л l;м m;н n;о o;п p;р r;с s ss;т t;тр tr ter;у u ou oo w;\
  ф f ph;х h kh x ch;ц c ts tz cz;ч c ch tch tsch cz;ш s sh sch;щ s shch sch sh schtsch stsch;ъ _ a u y;ы y i;\
  ыи y yy yi iy i;ь _;э e;ю u yu iu ju;я a ya ia ja;ђ d dj dzh;є e ye je ie;ѕ z dz;і i y yi ji;ј j y i;\
  љ l lj ly;њ n nj ny;ћ c ch tj;џ d dzh dz j;ѣ e ie ye;ѳ f;ѵ i;ґ g;ғ g gh;ҕ g;җ zh j;ҙ z;қ k q;ҡ k q;ң n ng;ҫ s;\
  ү u;ұ u;ҳ h;ҷ j;һ h;ӕ ae;ә a e;ӡ dz;ө o;ա a;բ b p;գ g k;դ d t;ե e ye;զ z;է e;ը _ y u e;թ t;ժ z zh j;ի i;լ l;\
  խ x kh;ծ c ts tz dz;կ k g;հ h;ձ j dz ts;ղ g gh;ճ c ch;մ m;յ y h j i;ն n;շ s sh;ո o vo;ու u ou oo;չ c ch;պ p b;\
  ջ j ch;ռ r;ս s;վ v;տ t d;ր r;ց c ts;ւ w v u;փ p;ք k q;օ o;ֆ f;և ev yev;א _ a e i o u;ב b~ v~;ג g~ j~;ד d~;\
  ה h~ _ a ah;ו v~ w~ o u oo ou;ז z~;ח h~ ch~ kh~;ט t~;י y~ j~ i e ee ei ai;ך k~ ch~ kh~;כ k~ c~ ch~ kh~;ל l~;\
  ם m~;מ m~;ן n~;נ n~;ס s~;ע _ a e i o u;ף p f ph;פ p~ f~ ph~;ץ z tz ts;צ tz~ ts~ z~;ק q~ k~ c~;ר r~;ש sh~ s~;\
  ת t~ th~;ء _ a e i;ا a _ e i o u aa;ال al el ul al- el-;ب b~ p~;ة t a ah at eh e h;ت t~;ث th~ s~;ج j~ g~ dj~;\
  ح h~;خ kh~ k~ ch~;د d~;ذ dh~ z~ d~;ر r~;ز z~;س s~;ش sh~ ch~;ص s~;ض d~ z~;ط t~;ظ z~ dh~;ع _ a e i o u aa ee;\
  غ gh~ g~;ف f~;ق q~ k~ g~ c~;ك k~ c~;ل l~;م m~;ن n~;ه h~ _ e;و w~ v~ o u oo ou au aw ow;ى y a i e;\
  ي y~ i e ee ei ey ai ay;ٹ t~;پ p~;چ ch~ tch~;ڈ d~;ڑ r~;ژ zh~ j~;ښ s;ڤ v~;ک k~ c~;ڭ ng;گ g~;ں n;ھ h;ہ h~ _ a;\
  ۋ v;ی y~ i e ee ei ey ai ay;ے e i ai ay;ە a e eh;ँ n m _;ं n m;ः h _;अ a aa;आ a aa;इ i ee;ई i ee;उ u oo;\
  ऊ u oo;ऋ r ri ru;ऌ l;ऍ e;ऎ e;ए e;ऐ ai ei ay;ऑ o;ऒ o;ओ o;औ au ou ow;क k ka;ख kh kha k ka;ग g ga;घ gh gha g ga;\
  ङ n na ng nga;च c ca ch cha;छ ch cha chh chha;ज j ja z za;झ jh jha j ja;ञ n na ny nya;ट t ta;ठ th tha;\
  ड d da r ra;ढ dh dha d da;ण n na;त t ta;थ th tha;द d da;ध dh dha d da;न n na;ऩ n na;प p pa;फ ph pha f fa;\
  ब b ba;भ bh bha b ba;म m ma;य y ya i;र r ra ri ria ru rua;ऱ r ra ri ria ru rua;ल l la;ळ l la;ऴ l la zh zha;\
  व v va w wa;श s sa sh sha;ष s sa sh sha;स s sa;ह h ha;़ _;ा a aa;ि i ee;ी i ee;ु u oo;ू u oo;ृ r ri ru;\
  ॄ r ri ru;ॅ e;ॆ e;े e;ै ai ei ay;ॉ o;ॊ o;ो o;ौ au ou ow;् _;ॐ om;ॠ r ri ru;ॡ l;ॢ l;ॣ l;ঁ n m _;ং n m;ঃ h _;\
  অ a aa;আ a aa;ই i ee;ঈ i ee;উ u oo;ঊ u oo;ঋ r ri ru;ঌ l;এ e;ঐ ai ei ay;ও o;ঔ au ou ow;ক k ka;খ kh kha k ka;\
  গ g ga;ঘ gh gha g ga;ঙ n na ng nga;চ c ca ch cha;ছ ch cha chh chha;জ j ja z za;ঝ jh jha j ja;ঞ n na ny nya;\
  ট t ta;ঠ th tha;ড d da r ra;ঢ dh dha d da;ণ n na;ত t ta;থ th tha;দ d da;ধ dh dha d da;ন n na;প p pa;\
  ফ ph pha f fa;ব b ba;ভ bh bha b ba;ম m ma;য y ya i;র r ra ri ria ru rua;ল l la;শ s sa sh sha;ষ s sa sh sha;\
  স s sa;হ h ha;় _;া a aa;ি i ee;ী i ee;ু u oo;ূ u oo;ৃ r ri ru;ৄ r ri ru;ে e;ৈ ai ei ay;ো o;ৌ au ou ow;্ _;\
  ৎ t;ৠ r ri ru;ৡ l;ৢ l;ৣ l;ਁ n m _;ਂ n m;ਃ h _;ਅ a aa;ਆ a aa;ਇ i ee;ਈ i ee;ਉ u oo;ਊ u oo;ਏ e;ਐ ai ei ay;ਓ o;\
  ਔ au ou ow;ਕ k ka;ਖ kh kha k ka;ਗ g ga;ਘ gh gha g ga;ਙ n na ng nga;ਚ c ca ch cha;ਛ ch cha chh chha;\
  ਜ j ja z za;ਝ jh jha j ja;ਞ n na ny nya;ਟ t ta;ਠ th tha;ਡ d da r ra;ਢ dh dha d da;ਣ n na;ਤ t ta;ਥ th tha;\
  ਦ d da;ਧ dh dha d da;ਨ n na;ਪ p pa;ਫ ph pha f fa;ਬ b ba;ਭ bh bha b ba;ਮ m ma;ਯ y ya i;ਰ r ra ri ria ru rua;\
  ਲ l la;ਵ v va w wa;ਸ s sa;ਹ h ha;਼ _;ਾ a aa;ਿ i ee;ੀ i ee;ੁ u oo;ੂ u oo;ੇ e;ੈ ai ei ay;ੋ o;ੌ au ou ow;੍ _;\
  ੜ r ra ri ria ru rua;ੰ n m;ੱ _;ઁ n m _;ં n m;ઃ h _;અ a aa;આ a aa;ઇ i ee;ઈ i ee;ઉ u oo;ઊ u oo;ઋ r ri ru;ઌ l;\
  ઍ e;એ e;ઐ ai ei ay;ઑ o;ઓ o;ઔ au ou ow;ક k ka;ખ kh kha k ka;ગ g ga;ઘ gh gha g ga;ઙ n na ng nga;ચ c ca ch cha;\
  છ ch cha chh chha;જ j ja z za;ઝ jh jha j ja;ઞ n na ny nya;ટ t ta;ઠ th tha;ડ d da r ra;ઢ dh dha d da;ણ n na;\
  ત t ta;થ th tha;દ d da;ધ dh dha d da;ન n na;પ p pa;ફ ph pha f fa;બ b ba;ભ bh bha b ba;મ m ma;ય y ya i;\
  ર r ra ri ria ru rua;લ l la;ળ l la;વ v va w wa;શ s sa sh sha;ષ s sa sh sha;સ s sa;હ h ha;઼ _;ા a aa;િ i ee;\
  ી i ee;ુ u oo;ૂ u oo;ૃ r ri ru;ૄ r ri ru;ૅ e;ે e;ૈ ai ei ay;ૉ o;ો o;ૌ au ou ow;્ _;ૐ om;ૠ r ri ru;ૡ l;ଁ n m _;\
  ଂ n m;ଃ h _;ଅ a aa;ଆ a aa;ଇ i ee;ଈ i ee;ଉ u oo;ଊ u oo;ଋ r ri ru;ଌ l;ଏ e;ଐ ai ei ay;ଓ o;ଔ au ou ow;କ k ka;\
  ଖ kh kha k ka;ଗ g ga;ଘ gh gha g ga;ଙ n na ng nga;ଚ c ca ch cha;ଛ ch cha chh chha;ଜ j ja z za;ଝ jh jha j ja;\
  ଞ n na ny nya;ଟ t ta;ଠ th tha;ଡ d da r ra;ଢ dh dha d da;ଣ n na;ତ t ta;ଥ th tha;ଦ d da;ଧ dh dha d da;ନ n na;\
  ପ p pa;ଫ ph pha f fa;ବ b ba;ଭ bh bha b ba;ମ m ma;ଯ y ya i;ର r ra ri ria ru rua;ଲ l la;ଳ l la;ଵ v va w wa;\
  ଶ s sa sh sha;ଷ s sa sh sha;ସ s sa;ହ h ha;଼ _;ା a aa;ି i ee;ୀ i ee;ୁ u oo;ୂ u oo;ୃ r ri ru;େ e;ୈ ai ei ay;ୋ o;\
  ୌ au ou ow;୍ _;ୟ y ya;ୠ r ri ru;ୡ l;ஂ n m;அ a aa;ஆ a aa;இ i ee;ஈ i ee;உ u oo;ஊ u oo;எ e;ஏ e;ஐ ai ei ay;ஒ o;\
  ஓ o;ஔ au ou ow;க k ka g ga;ங n na ng nga;ச c ca ch cha s sa;ஜ j ja z za;ஞ n na ny nya;ட t ta d da;ண n na;\
  த t ta th tha d da;ந n na;ன n na;ப p pa b ba;ம m ma;ய y ya i;ர r ra ri ria ru rua;ற r ra ri ria ru rua tr tra;\
  ல l la;ள l la;ழ l la zh zha;வ v va w wa;ஶ s sa sh sha;ஷ s sa sh sha;ஸ s sa;ஹ h ha;ா a aa;ி i ee;ீ i ee;ு u oo;\
  ூ u oo;ெ e;ே e;ை ai ei ay;ொ o;ோ o;ௌ au ou ow;் _;ఁ n m _;ం n m;ః h _;అ a aa;ఆ a aa;ఇ i ee;ఈ i ee;ఉ u oo;\
  ఊ u oo;ఋ r ri ru;ఌ l;ఎ e;ఏ e;ఐ ai ei ay;ఒ o;ఓ o;ఔ au ou ow;క k ka;ఖ kh kha k ka;గ g ga;ఘ gh gha g ga;\
  ఙ n na ng nga;చ c ca ch cha;ఛ ch cha chh chha;జ j ja z za;ఝ jh jha j ja;ఞ n na ny nya;ట t ta;ఠ th tha;\
  డ d da r ra;ఢ dh dha d da;ణ n na;త t ta;థ th tha;ద d da;ధ dh dha d da;న n na;ప p pa;ఫ ph pha f fa;బ b ba;\
  భ bh bha b ba;మ m ma;య y ya i;ర r ra ri ria ru rua;ఱ r ra ri ria ru rua;ల l la;ళ l la;వ v va w wa;\
  శ s sa sh sha;ష s sa sh sha;స s sa;హ h ha;఼ _;ా a aa;ి i ee;ీ i ee;ు u oo;ూ u oo;ృ r ri ru;ౄ r ri ru;ె e;ే e;\
  ై ai ei ay;ొ o;ో o;ౌ au ou ow;్ _;ౠ r ri ru;ౡ l;ಁ n m _;ಂ n m;ಃ h _;ಅ a aa;ಆ a aa;ಇ i ee;ಈ i ee;ಉ u oo;ಊ u oo;\
  ಋ r ri ru;ಌ l;ಎ e;ಏ e;ಐ ai ei ay;ಒ o;ಓ o;ಔ au ou ow;ಕ k ka;ಖ kh kha k ka;ಗ g ga;ಘ gh gha g ga;ಙ n na ng nga;\
  ಚ c ca ch cha;ಛ ch cha chh chha;ಜ j ja z za;ಝ jh jha j ja;ಞ n na ny nya;ಟ t ta;ಠ th tha;ಡ d da r ra;\
  ಢ dh dha d da;ಣ n na;ತ t ta;ಥ th tha;ದ d da;ಧ dh dha d da;ನ n na;ಪ p pa;ಫ ph pha f fa;ಬ b ba;ಭ bh bha b ba;\
  ಮ m ma;ಯ y ya i;ರ r ra ri ria ru rua;ಱ r ra ri ria ru rua;ಲ l la;ಳ l la;ವ v va w wa;ಶ s sa sh sha;\
  ಷ s sa sh sha;ಸ s sa;ಹ h ha;಼ _;ಾ a aa;ಿ i ee;ೀ i ee;ು u oo;ೂ u oo;ೃ r ri ru;ೄ r ri ru;ೆ e;ೇ e;ೈ ai ei ay;ೊ o;\
  ೋ o;ೌ au ou ow;್ _;ೞ l la;ೠ r ri ru;ೡ l;ഁ n m _;ം n m;ഃ h _;അ a aa;ആ a aa;ഇ i ee;ഈ i ee;ഉ u oo;ഊ u oo;\
  ഋ r ri ru;ഌ l;എ e;ഏ e;ഐ ai ei ay;ഒ o;ഓ o;ഔ au ou ow;ക k ka;ഖ kh kha k ka;ഗ g ga;ഘ gh gha g ga;ങ n na ng nga;\
  ച c ca ch cha;ഛ ch cha chh chha;ജ j ja z za;ഝ jh jha j ja;ഞ n na ny nya;ട t ta;ഠ th tha;ഡ d da r ra;\
  ഢ dh dha d da;ണ n na;ത t ta;ഥ th tha;ദ d da;ധ dh dha d da;ന n na;പ p pa;ഫ ph pha f fa;ബ b ba;ഭ bh bha b ba;\
  മ m ma;യ y ya i;ര r ra ri ria ru rua;റ r ra ri ria ru rua;ല l la;ള l la;ഴ l la zh zha;വ v va w wa;\
  ശ s sa sh sha;ഷ s sa sh sha;സ s sa;ഹ h ha;഼ _;ാ a aa;ി i ee;ീ i ee;ു u oo;ൂ u oo;ൃ r ri ru;െ e;േ e;ൈ ai ei ay;\
  ൊ e ea;ോ e ea;ൌ e;് _;ൠ r ri ru;ൡ l;ൺ n;ൻ n;ർ r;ൽ l;ൾ l;ൿ k;ก k~ g~;ข kh~ k~;ฃ kh;ค kh~ k~;ฅ kh;ฆ kh~ k~;\
  ง ng~;จ c ch~ j~;ฉ ch~;ช ch~;ซ s~;ฌ ch~;ญ y~ n~;ฎ d~ t;ฏ t~;ฐ th~ t~;ฑ th~ t~ d~;ฒ th~ t~;ณ n~;ด d~ t;ต t~;\
  ถ th~ t~;ท th~ t~;ธ th~ t~;น n~;บ b~ p;ป p~ b~;ผ ph~ p~;ฝ f~;พ ph~ p~ b~;ฟ f~ p;ภ ph~ p~ b~;ม m~;ย y~ i;\
  ร r~ n;ฤ v r~ rue ri;ล l~ n;ฦ l;ว w~ v~ u;ศ s~ t;ษ s~ t;ส s~ t;ห h~ _;ฬ l~ n;อ x _ o a or;ฮ h~;ะ a;ั a u;\
  า a aa ar;ำ a am um;ิ i;ี i ee;ึ u ue eu;ื u ue eu;ุ u;ู u oo;เ e _;แ ae _;โ o _;ใ i _ ai;ไ i _ ai;ๅ i;็ _;\
  ่ _;้ _;๊ _;๋ _;์ _;ა a;ბ b;გ g;დ d;ე e;ვ v;ზ z;თ t;ი i;კ k;ლ l;მ m;ნ n;ო o;პ p;ჟ zh;რ r;ს s;ტ t;უ u;ფ p ph;\
  ქ k;ღ gh g;ყ q k;შ sh;ჩ ch;ც ts c;ძ dz;წ ts;ჭ ch;ხ kh h x;ჯ j;ჰ h;ჳ ui;ჴ q;ᄀ g k;ᄁ kk gg;ᄂ n;ᄃ d t;ᄄ tt dd;\
  ᄅ r l;ᄆ m;ᄇ b p;ᄈ pp bb;ᄉ s sh;ᄊ ss;ᄋ _;ᄌ j ch;ᄍ jj;ᄎ ch;ᄏ k;ᄐ t;ᄑ p;ᄒ h;ᅡ a ah;ᅢ ae ai e;ᅣ ya;ᅤ yae;ᅥ eo u o;\
  ᅦ e;ᅧ yeo you yu yo;ᅨ ye;ᅩ o oh;ᅪ wa;ᅫ wae;ᅬ oe oi we;ᅭ yo;ᅮ u oo woo wu;ᅯ wo weo;ᅰ we;ᅱ wi;ᅲ yu yoo;ᅳ eu u;\
  ᅴ ui eui ee i yi;ᅵ i ee yi;ᆨ k g;ᆩ kk k;ᆪ gs ks k;ᆫ n;ᆬ nj n;ᆭ nh n;ᆮ d t;ᆯ l r;ᆰ lg lk k;ᆱ lm m;ᆲ lb lp l;\
  ᆳ ls l;ᆴ lt l;ᆵ lp p;ᆶ lh l;ᆷ m;ᆸ b p;ᆹ bs ps p;ᆺ s t;ᆻ ss t;ᆼ ng;ᆽ j t;ᆾ ch t;ᆿ k;ᇀ t;ᇁ p;ᇂ h t;ぁ a;あ a;ぃ i;\
  い i;ぅ u;う u _ w h;ぇ e;え e;ぉ o;お o _ h;か ka;が ga;き ki k;ぎ gi g;く ku;ぐ gu;け ke;げ ge;こ ko;ご go;さ sa;ざ za;\
  し shi si sh s;じ ji zi j z;す su;ず zu;せ se;ぜ ze;そ so;ぞ zo;た ta;だ da;ち chi ti ch t;ぢ dji ji di zi j;\
  っ tsu _ t k s p c g d b j f h z;つ tsu tu ts;づ dzu zu du;て te t;で de d;と to t;ど do d;な na;に ni n;ぬ nu;ね ne;\
  の no;は ha wa;ば ba;ぱ pa;ひ hi h;び bi b;ぴ pi p;ふ fu hu f;ぶ bu;ぷ pu;へ he e;べ be;ぺ pe;ほ ho;ぼ bo;ぽ po;ま ma;み mi m;\
  む mu;め me;も mo;ゃ ya a;や ya;ゅ yu u;ゆ yu;ょ yo o;よ yo;ら ra la;り ri li r l;る ru lu;れ re le;ろ ro lo;ゎ wa;わ wa;ゐ wi;\
  ゑ we;を wo o;ん n m;ゔ vu bu v b;ゕ ka;ゖ ke ga;ー _ a i u e o h;곽 kwack;나 ra;노 roh rho;류 yoo;박 park;백 paik baik;\
  서 suh;유 ryu ryoo;육 yook;이 lee rhee;임 lim rim;허 hur;
  """
