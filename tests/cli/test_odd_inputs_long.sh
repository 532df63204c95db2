# labels: slow
# A thousand inputs of each class.
COUNT=1000 SEED=2 . "$(dirname "$0")/test_odd_inputs.sh"
