// ResultsController
