/* test_eigen.c - eigenvectors of symmetric matrices. */
#include <stdlib.h>
#include <string.h>

#include "golden/eigen.inc"
#include "kernels/eigen.h"
#include "support/check.h"

#define MOST 128

static double a[MOST * MOST], b[MOST * MOST], vectors[MOST * MOST], values[MOST];

/* |A v - value v| and |V V' - I| are at most `tolerance` times the size of the matrix. */
static void check_decomposition(const double *matrix, size_t n, double size, double tolerance) {
  for (size_t k = 0; k < n; k++) {
    const double *v = vectors + k * n;
    if (k > 0) assert_true(values[k] <= values[k - 1]);
    for (size_t i = 0; i < n; i++) {
      double image = 0, product = 0;
      for (size_t j = 0; j < n; j++) {
        image += matrix[i * n + j] * v[j];
        product += v[j] * vectors[i * n + j];
      }
      assert_close(image, values[k] * v[i], tolerance * size);
      assert_close(product, i == k, tolerance);
    }
  }
}

/* Values that are apart have one vector each; equal ones are left to check_decomposition. */
static void check_golden(const double *matrix, const double *wanted, const double *wanted_vectors, size_t n) {
  double size = fmax(fabs(wanted[0]), fabs(wanted[n - 1]));
  memcpy(a, matrix, n * n * sizeof *a);
  assert_ok(ank_eigen_symmetric(values, vectors, a, n, NULL));
  check_decomposition(matrix, n, size, 1e-14);
  for (size_t k = 0; k < n; k++) {
    assert_close(values[k], wanted[k], 1e-14 * size);
    double apart = INFINITY;
    if (k > 0) apart = fmin(apart, wanted[k - 1] - wanted[k]);
    if (k + 1 < n) apart = fmin(apart, wanted[k] - wanted[k + 1]);
    if (apart < 1e-3 * size) continue;
    for (size_t j = 0; j < n; j++) assert_close(vectors[k * n + j], wanted_vectors[k * n + j], 1e-11);
  }
}

static void values_and_vectors_are_those_of_numpy(void **state) {
  (void)state;
  check_golden(one_matrix, one_values, one_vectors, 1);
  check_golden(two_matrix, two_values, two_vectors, 2);
  check_golden(mixed_signs_matrix, mixed_signs_values, mixed_signs_vectors, 3);
  check_golden(covariance_matrix, covariance_values, covariance_vectors, 6);
  check_golden(few_rows_matrix, few_rows_values, few_rows_vectors, 7);
}

/* The second difference: values 2 - 2 cos(pi k / (n + 1)). */
static void a_hundred_columns_have_the_values_of_the_closed_form(void **state) {
  (void)state;
  size_t n = 100;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) a[i * n + j] = i == j ? 2 : i + 1 == j || j + 1 == i ? -1 : 0;
  memcpy(b, a, sizeof a);
  assert_ok(ank_eigen_symmetric(values, vectors, a, n, NULL));
  for (size_t k = 0; k < n; k++)
    assert_close(values[k], 2 - 2 * cos(M_PI * (double)(n - k) / (double)(n + 1)), 1e-13);
  check_decomposition(b, n, 4, 1e-13);
}

static void tiny_huge_and_zero_matrices_are_decomposed(void **state) {
  (void)state;
  static const double scales[] = {0, 1e-320, 1e-160, 1e160, 5e307};
  for (size_t s = 0; s < sizeof scales / sizeof *scales; s++) {
    double matrix[] = {2 * scales[s], scales[s], scales[s], 2 * scales[s]};
    assert_ok(ank_eigen_symmetric(values, vectors, matrix, 2, NULL));
    assert_close(values[0], 3 * scales[s], 1e-15 * 3 * scales[s] + 1e-323);
    assert_close(values[1], scales[s], 1e-15 * 3 * scales[s] + 1e-323);
    assert_true(vectors[0] > 0 && fabs(vectors[0]) <= 1);
  }
}

static void a_diagonal_matrix_is_only_sorted(void **state) {
  (void)state;
  double matrix[] = {1, 0, 0, 0, -2, 0, 0, 0, 3};
  assert_ok(ank_eigen_symmetric(values, vectors, matrix, 3, NULL));
  assert_true(values[0] == 3 && values[1] == 1 && values[2] == -2);
  assert_true(vectors[2] == 1 && vectors[3] == 1 && vectors[7] == 1 && vectors[0] == 0);
  assert_ok(ank_eigen_symmetric(values, vectors, matrix, 0, NULL));
}

static void a_matrix_that_is_not_finite_is_refused(void **state) {
  (void)state;
  double matrix[] = {1, NAN, NAN, 1};
  anorank_error err = {0};
  assert_status(ank_eigen_symmetric(values, vectors, matrix, 2, &err), ANORANK_ERROR_DATA);
  assert_string_equal(err.code, "fit-not-finite");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_and_vectors_are_those_of_numpy),
      cmocka_unit_test(a_hundred_columns_have_the_values_of_the_closed_form),
      cmocka_unit_test(tiny_huge_and_zero_matrices_are_decomposed),
      cmocka_unit_test(a_diagonal_matrix_is_only_sorted),
      cmocka_unit_test(a_matrix_that_is_not_finite_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
